/** pictures.js - the pictures of men and squares, from the men.svg of a game. */
const pictures = new Map();

/**
 * The symbols of a game's men and squares, by id; null without an answer. `set` is one of the catalogue's, or none.
 * @returns {Promise<Map<string, SVGSymbolElement> | null>}
 */
export function symbolsOf(server, variant, theme, set) {
  const url = `${server}/v1/variants/${encodeURIComponent(variant)}/men.svg?theme=${theme}${set ? `&men=${set}` : ""}`;
  if (!pictures.has(url)) {
    pictures.set(url, loadSymbols(url).catch(() => {
      pictures.delete(url);
      return null;
    }));
  }
  return pictures.get(url);
}

/** Read as a document by the browser, since a page may forbid that texts become markup (Trusted Types). */
function loadSymbols(url) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.responseType = "document";
    request.overrideMimeType("image/svg+xml");
    request.onerror = failed;
    request.onload = () => {
      const picture = request.status === 200 ? request.response : null;
      done(new Map([...picture?.querySelectorAll("symbol") ?? []].map((symbol) => [symbol.id, symbol])));
    };
    request.send();
  });
}
