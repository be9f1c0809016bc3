/** dom.js - small things that all parts of the board need of elements. */
const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children.
 * @returns {any} what its tag says
 */
export function el(tag, attributes = {}, ...children) {
  const element = tag === "svg" || tag === "use" || tag === "polyline"
    ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value != null) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Sets an attribute only if it changes, so that an update that changes nothing costs nothing. */
export function set(element, name, value) {
  if (value == null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** Puts children in order. What is there already is not touched, so that it keeps its focus. */
export function arrange(parent, children) {
  for (const old of [...parent.children]) if (!children.includes(old)) old.remove();
  children.forEach((child, i) => {
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] ?? null);
  });
}

/** Whether nothing shall move: nobody sees it, or who sees it wants no motion. */
export const still = () => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What men look like: two stacks with the same key are drawn alike. */
export const keyOf = (men) => men.map((man) => `${man.seat}${man.name}`).join();

/**
 * The tree in which an element stands.
 * @returns {ShadowRoot}
 */
export const rootOf = (element) => element.getRootNode();
