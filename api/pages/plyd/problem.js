/** problem.js - answers that are no success, and none at all. */

/** No answer, as a problem. */
export const SILENT = { status: 0, code: "no-answer", detail: "The server does not answer." };

/** Why a request was refused, or (`status` 0) that there was no answer. */
export class PlydError extends Error {
  /** @param {import("../plyd.js").Problem} problem */
  constructor(problem) {
    super(problem.detail);
    this.name = "PlydError";
    this.problem = problem;
    this.status = problem.status;
    this.code = problem.code;
    this.detail = problem.detail;
    this.rule = problem.rule;
    this.game = problem.game;
    this.squares = problem.rule?.squares ?? [];
  }
}

/** Whether a request has to be repeated: without an answer, nobody knows whether it was done. */
export const again = (status) => [0, 408, 425, 429, 500, 502, 503, 504].includes(status) || status > 505;

/** What a refusal says. */
export async function problemOf(answer) {
  const { status } = answer, text = await answer.text();
  const plain = { status, code: `http-${status}`, detail: `The server answered ${status}.` };
  try { return { ...plain, ...JSON.parse(text) }; } catch { return plain; }
}
