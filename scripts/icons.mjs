/**
 * icons.mjs - draws the icons of the installed pages, api/pages/icon-*.png, from favicon.svg with the browser of the
 * tests: `make icons`. They are kept in the repository, since whoever builds plyd needs no browser.
 *
 * Android cuts a "maskable" icon to a shape of its own, of which only the inner four fifths are sure to be seen, and iOS
 * rounds the corners of one that fills its square.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const tools = resolve(process.env.PLYD_BROWSER_TOOLS ?? "build/browser");
const puppeteer = createRequire(join(tools, "package.json"))("puppeteer-core");
const folder = "api/pages";
const picture = readFileSync(join(folder, "favicon.svg"), "utf8");
const drawing = picture.replace(/<svg[^>]*>\s*<rect[^>]*>|<\/svg>/g, ""), ground = /<rect.* fill="([^"]+)"/.exec(picture)[1];

/** The drawing on a ground without corners, as large as `scale` says. */
const filled = (scale) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="${ground}"/>
  <g transform="translate(16 16) scale(${scale}) translate(-16 -16)">${drawing}</g></svg>`;

/** The drawing as a shape: Android shows a small icon beside the clock, of which it takes nothing but what is not transparent. */
const shape = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="2 2 28 28"><mask id="m">${
  drawing.replace(/fill="#[^"]+"/, 'fill="#fff"').replace(/stroke="#[^"]+"/, 'stroke="#000"')}</mask>
  <rect width="32" height="32" fill="#fff" mask="url(#m)"/></svg>`;

const browser = await puppeteer.launch({
  browser: "chrome", headless: "shell", executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox", "--disable-gpu"],
});
for (const [name, size, svg] of [["icon-192", 192, picture], ["icon-512", 512, picture],
                                 ["icon-180", 180, filled(0.92)], ["icon-maskable", 512, filled(0.8)], ["icon-badge", 96, shape]]) {
  const tab = await browser.newPage();
  await tab.setViewport({ width: size, height: size });
  await tab.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg.replace("<svg", `<svg width="${size}" height="${size}"`)}`);
  writeFileSync(join(folder, `${name}.png`), await tab.screenshot({ omitBackground: true }));
}
await browser.close();
