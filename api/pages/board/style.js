/** style.js - how the board looks. docs/board.md has the properties and parts that pages may style. */
import { shapeStyle } from "./shape.js";

const css = `
:host {
  display: block; position: relative; box-sizing: border-box; container-type: inline-size;
  inline-size: 100%; min-inline-size: 10rem; contain-intrinsic-inline-size: 24rem;
  font: 400 1rem/1.35 system-ui, sans-serif; -webkit-tap-highlight-color: transparent;
}
:host([hidden]) { display: none; }
:host([theme=light]) { color-scheme: light; }
:host([theme=dark]) { color-scheme: dark; }
.frame, .frame * { box-sizing: border-box; }
.frame {
  --gutter: clamp(.8rem, 4.4cqi, 1.5rem);
  --cell: calc((100cqi - var(--gutter) - 2px) / var(--w));
  --kept: min(var(--cell), 4rem);
  --rim: max(2px, calc(var(--cell) * .06));
  --last-: var(--plyd-last, light-dark(#e8a70a80, #ffb300a6));
  --rim-: light-dark(var(--last-), #472700); /* on the dark boards light colours are not seen */
  --pick-: var(--plyd-selected, light-dark(#1d7f4e99, #35c07c88));
  --aim-: var(--plyd-target, light-dark(#14683fcc, #58dd9bcc));
  --bad-: var(--plyd-refused, light-dark(#c4221f, #ff6b61));
  --hint-: var(--plyd-hint, light-dark(#0b57d0cc, #8ab8ffcc));
  --ahead-: var(--plyd-premove, light-dark(#6b3fa0cc, #c9a6ffcc));
  --check-: var(--plyd-check, light-dark(#dd1c14cc, #ff5147cc));
  --line-: var(--plyd-line, color-mix(in srgb, var(--ground) 55%, light-dark(#33220c, #8f959d)));
  --focus-: var(--plyd-focus, light-dark(#0b57d0, #8ab8ff));
  --paper-: var(--plyd-paper, light-dark(#fff, #24282e));
  --ink-: var(--plyd-ink, light-dark(#20242a, #e9ebee));
  --ground: var(--plyd-square, var(--square, light-dark(#f0d9b5, #7d7a75)));
  display: grid; grid-template-columns: minmax(0, 1fr); gap: .4rem; direction: ltr;
  user-select: none; -webkit-user-select: none;
}
[hidden] { display: none !important; }
.field { display: grid; grid-template: auto 1fr auto / auto 1fr auto; }
.board {
  position: relative; grid-area: 2 / 2; aspect-ratio: var(--w) / var(--h);
  border: 1px solid var(--line-); background: var(--ground);
}
.files, .ranks {
  display: flex; opacity: .8; text-align: center;
  font-size: clamp(.55rem, calc(var(--cell) * .3), .8rem); line-height: 1;
}
.files { grid-area: 3 / 2; block-size: var(--gutter); align-items: center; }
.ranks { grid-area: 2 / 1; inline-size: var(--gutter); flex-direction: column; }
.files > *, .ranks > * { flex: 1; }
.ranks > * { display: grid; place-items: center; }
.opposite .files { grid-area: 1 / 2; }
.opposite .ranks { grid-area: 2 / 3; }
:host([coords=none]) .frame { --gutter: 0px; }
:host([coords=none]) :is(.files, .ranks) { display: none; }
.grid, .row { display: grid; }
.grid { position: absolute; inset: 0; grid-template-rows: repeat(var(--h), minmax(0, 1fr)); }
.row { grid-template-columns: repeat(var(--w), minmax(0, 1fr)); }
.square {
  position: relative; background: var(--ground); border: 0 solid var(--line-); border-width: 0 1px 1px 0;
  touch-action: manipulation; outline: none;
}
.square:last-child { border-inline-end-width: 0; }
.row:last-child .square { border-block-end-width: 0; }
[part~=other] { background: var(--plyd-square-other, var(--other, var(--ground))); }
.square.zoned { background: none; }
[part~=movable], [part~=target] { cursor: pointer; }
[part~=movable] { touch-action: pinch-zoom; }
.square::before, .square::after { content: ""; position: absolute; inset: 0; pointer-events: none; }
[part~=last]::before {
  background: var(--last-); box-shadow: inset 0 0 0 max(1.5px, calc(var(--cell) * .04)) var(--rim-);
}
[part~=win]::before {
  background: color-mix(in srgb, var(--aim-) 38%, transparent); box-shadow: inset 0 0 0 var(--rim) var(--aim-);
}
[part~=selected]::before { background: var(--pick-); box-shadow: inset 0 0 0 var(--rim) var(--aim-); }
[part~=check]::before {
  background: radial-gradient(var(--check-) 35%, transparent 100%); box-shadow: inset 0 0 0 var(--rim) var(--check-);
}
[part~=target]::after { inset: 36%; border-radius: 50%; background: var(--aim-); }
[part~=target][part~=occupied]::after {
  inset: 0; border-radius: 0; --corner: var(--aim-) 0 16%, transparent 16.5%;
  background: linear-gradient(45deg, var(--corner)), linear-gradient(135deg, var(--corner)),
    linear-gradient(225deg, var(--corner)), linear-gradient(315deg, var(--corner));
}
[part~=target][part~=over]::after {
  inset: 0; border-radius: 0; background: none; border: max(3px, calc(var(--cell) * .07)) solid var(--aim-);
}
.touch [part~=over] { z-index: 1; }
.touch [part~=target][part~=over]::after { inset: -45%; border-radius: 50%; }
[part~=hint]::before { box-shadow: inset 0 0 0 var(--rim) var(--hint-); }
.kept[part~=hint] { outline: var(--rim) solid var(--hint-); }
[part~=premove]::before {
  background: color-mix(in srgb, var(--ahead-) 35%, transparent); box-shadow: inset 0 0 0 var(--rim) var(--ahead-);
}
.kept[part~=premove] { outline: var(--rim) solid var(--ahead-); }
[part~=pending]::before { border: 2px dotted var(--aim-); }
[part~=must]::before { box-shadow: inset 0 0 0 var(--rim) var(--hint-); }
[part~=refused]::after { inset: 0; border: var(--rim) dashed var(--bad-); border-radius: 0; background: none; }
[part~=taken]::after {
  --bar-: transparent 44%, var(--bad-) 44% 56%, transparent 56%;
  inset: 34%; opacity: .75; background: linear-gradient(45deg, var(--bar-)), linear-gradient(-45deg, var(--bar-));
}
.square:focus-visible {
  z-index: 1; box-shadow: inset 0 0 0 3px var(--focus-), inset 0 0 0 5px light-dark(#fff, #000);
}
.over, .ground, .men { position: absolute; inset: 0; pointer-events: none; }
.ground, .over { inline-size: 100%; block-size: 100%; overflow: hidden; }
.way { fill: none; stroke: var(--plyd-path, light-dark(#7a3e00b0, #ffd27ab0)); stroke-width: .09;
  stroke-linejoin: round; stroke-linecap: round; }
.arrow { fill: none; stroke: var(--hint-); stroke-width: .12; stroke-linejoin: round; stroke-linecap: round; }
.arrow.ahead { stroke: var(--ahead-); }
.man { position: absolute; inset-block-start: 0; inset-inline-start: 0;
  inline-size: calc(100% / var(--w)); block-size: calc(100% / var(--h)); pointer-events: none; }
.man > svg, .kept > svg { display: block; inline-size: 100%; block-size: 100%; overflow: visible; }
.turned > svg { rotate: 180deg; }
.gone { visibility: hidden; }
.held { z-index: 3; filter: drop-shadow(0 .15em .25em #0007); }
.touch .held > * { scale: 1.8; translate: 0 -40%; }
.frame.dragging, .dragging * { cursor: grabbing !important; }
.sent { animation: wait 1s .4s infinite alternate; }
@keyframes wait { to { opacity: .45; } }
.count {
  position: absolute; inset-block-start: 0; inset-inline-end: 0; min-inline-size: 1.4em; padding: 0 .25em;
  border-radius: .5em; color: var(--ink-); background: var(--paper-); box-shadow: 0 0 0 1px var(--line-);
  font: 600 min(1rem, calc(var(--cell) * .24))/1.2 system-ui, sans-serif; text-align: center;
}
.hand {
  display: flex; flex-wrap: wrap; gap: 2px; padding: 2px; min-block-size: calc(var(--kept) + 4px);
  margin-inline-start: var(--gutter); border-radius: .3rem;
  background: color-mix(in srgb, var(--ground) 60%, transparent);
}
.opposite .hand { margin-inline: 0 var(--gutter); }
.hand:first-child { flex-direction: row-reverse; }
.hand:empty { min-block-size: .4rem; }
/* Beside the board, a hand is a column of men that are .57 of a square high, so that seven of them have room in half of it. */
.frame.beside {
  --cell: calc((100cqi - var(--gutter) - 2px - 4px - .4rem) / (var(--w) + .57 * 1.18));
  --kept: calc(var(--cell) * .57);
  grid-template: 1fr auto / minmax(0, 1fr) auto; column-gap: .4rem;
}
.beside .field { grid-area: 1 / 1 / 3 / 2; }
.beside .hand {
  flex-flow: column nowrap; align-self: end; box-sizing: border-box; margin: 0;
  inline-size: calc(var(--kept) * 1.18 + 4px); min-inline-size: 28px;
}
.beside .hand:first-child { flex-direction: column-reverse; align-self: start; }
.beside :is(.status, .pile, .bar) { grid-column: 1 / -1; }
.kept {
  position: relative; inline-size: calc(var(--kept) * 1.18); block-size: var(--kept);
  min-inline-size: 24px; min-block-size: 24px; padding: 0 calc(var(--kept) * .18) 0 0;
  border: 0; border-radius: .25rem; background: none; color: inherit; font: inherit;
}
.kept[part~=movable] { touch-action: pinch-zoom; cursor: grab; }
.kept[part~=selected] { background: var(--pick-); }
.kept:focus-visible, .button:focus-visible { outline: 3px solid var(--focus-); outline-offset: 1px; }
.kept .count { inset-block: auto 0; font-size: max(.55rem, min(.9rem, calc(var(--kept) * .3))); }
.choices {
  position: absolute; z-index: 4; display: flex; flex-wrap: wrap; gap: .3rem; padding: .35rem;
  inline-size: max-content; max-inline-size: 100%; border-radius: .6rem;
  background: var(--paper-); box-shadow: 0 .2rem 1rem #0006, 0 0 0 1px #0003;
}
.button {
  min-block-size: 2.4rem; min-inline-size: 2.4rem; padding: .3rem .8rem;
  border: 1px solid color-mix(in srgb, var(--ink-) 45%, transparent); border-radius: .4rem;
  background: var(--paper-); color: var(--ink-); font: inherit; cursor: pointer;
}
.button:hover { background: color-mix(in srgb, var(--ink-) 10%, var(--paper-)); }
.button::first-letter, .button .label::first-letter { text-transform: uppercase; }
.button .row-of-men { margin-inline: -.3em .4em; }
.label { display: inline-block; }
.status {
  min-block-size: 2.7em; margin-inline-start: var(--gutter); font-size: .9rem;
  user-select: text; -webkit-user-select: text;
}
.status[part~=refused] { color: var(--bad-); }
.pile {
  display: flex; align-items: center; gap: .5em; block-size: 2em; margin-inline-start: var(--gutter);
  font-size: .9rem; white-space: nowrap;
}
.pile > :last-child { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; }
.row-of-men { display: inline-flex; min-inline-size: 0; vertical-align: middle; border-radius: .3em; background: var(--ground); }
.row-of-men > * { position: relative; flex: 0 1 1.75em; min-inline-size: 0; block-size: 1.75em; }
.row-of-men > svg { inline-size: 1.75em; }
.row-of-men .token { inset: auto; border-radius: .4em; font-size: 1em; }
.bar { display: flex; gap: .3rem; margin-inline-start: var(--gutter); }
.opposite :is(.status, .pile, .bar) { margin-inline: 0 var(--gutter); }
.bar .button { flex: 1; min-inline-size: 0; padding: 0; font-size: 1.3rem; line-height: 1; }
.button[aria-disabled] { opacity: .45; cursor: default; }
.choices .button { flex: 1 0 auto; }
.choices .button:first-child { font-weight: 600; border-color: currentColor; }
.live {
  position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.probe { position: absolute; visibility: hidden; color: light-dark(#000, #fff); transition: color 1ms; }
.defs { position: absolute; inline-size: 0; block-size: 0; }
.token {
  position: absolute; inset: 9%; display: grid; place-items: center; border-radius: 50%;
  border: max(1px, calc(var(--cell) * .04)) solid #222; background: #fff; color: #222;
  font-size: calc(var(--cell) * .42); line-height: 1; font-style: normal; font-weight: 600;
}
.token.long { font-size: calc(var(--cell) * .28); }
.facing .token { border-radius: 50% 50% 12% 12%; }
.turned > .token { rotate: 180deg; }
@container (max-width: 17rem) {
  .frame { --gutter: 0px; }
  .files, .ranks { display: none; }
  .status { font-size: .8rem; }
}
@media (forced-colors: active) {
  .board, .kept { forced-color-adjust: none; }
  .frame {
    --last-: color-mix(in srgb, Highlight 45%, transparent); --pick-: color-mix(in srgb, Highlight 60%, transparent);
    --aim-: Highlight; --focus-: Highlight; --line-: #777;
  }
}
@media print {
  .frame { --ground: #fff; --other: #ddd !important; --line-: #000; --last-: #0003; }
  .square, .board { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .men, .ground, .kept { filter: grayscale(1); }
  .bar, .choices, .pile { display: none; }
}
@media (prefers-reduced-motion: reduce) { .sent { animation: none; opacity: .6; } }
`;

export const sheet = new CSSStyleSheet();
sheet.replaceSync(css + shapeStyle);
