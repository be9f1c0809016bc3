/** sounds.js - short tones. */
const TONES = { move: [260], take: [190], check: [520, 390], end: [390, 330, 260], low: [880, 880] }; // in hertz

let context = null; // made when the first tone is played: a page without sounds needs none

/** @param {keyof typeof TONES} kind */
export function chime(kind) {
  context ??= new AudioContext();
  TONES[kind].forEach((pitch, i) => beep(pitch, context.currentTime + 0.14 * i));
}

function beep(pitch, at) {
  const note = context.createOscillator(), gain = context.createGain();
  note.frequency.value = pitch;
  gain.gain.setValueAtTime(0.12, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.12);
  note.connect(gain).connect(context.destination);
  note.start(at);
  note.stop(at + 0.13);
}
