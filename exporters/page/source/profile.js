// The heights along a line as a picture: ground, what stands on it, and the line the rule compares.
import { drawn } from "./made.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [400, 160, 30, 10, 12, 26];

export function profilePicture({ steps, eyes }, labelOf) {
  if (!steps.length || !eyes || steps.some(({ top }) => top === null)) return null;
  const heights = [...steps.flatMap(({ level, top }) => [level, top]), ...eyes];
  const [low, high] = [Math.floor(Math.min(...heights)) - 1, Math.ceil(Math.max(...heights)) + 0.5];
  const x = (along) => LEFT + along * (WIDTH - LEFT - RIGHT);
  const y = (height) => TOP + ((high - height) / Math.max(high - low, 1)) * (HEIGHT - TOP - BOTTOM);
  const picture = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "profile", role: "img" });
  const every = Math.max(1, Math.ceil((high - low) / 6));
  for (let level = low; level <= high; level += every) {
    picture.append(drawn("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(level), y2: y(level), class: "tick" }));
    picture.append(drawn("text", { x: LEFT - 5, y: y(level) + 5, "text-anchor": "end" }, String(level)));
  }
  const bar = (step, from, to, kind) => drawn("rect", { x: x(step.from), width: Math.max(x(step.to) - x(step.from), 1.5), y: y(to), height: Math.max(y(from) - y(to), 0), class: kind });
  for (const step of steps) {
    picture.append(bar(step, low, step.level, step.shut ? "shut" : "land"));
    if (step.top > step.level) picture.append(bar(step, step.level, step.top, step.shut ? "shut" : "top"));
  }
  picture.append(drawn("line", { x1: x(0), y1: y(eyes[0]), x2: x(1), y2: y(eyes[1]), class: "eye" }));
  let free = -Infinity;
  for (const step of steps.filter(({ alone }) => alone)) {
    const middle = Math.min(Math.max(x((step.from + step.to) / 2), LEFT + 18), WIDTH - RIGHT - 18);
    if (middle - free < 44) continue;
    picture.append(drawn("text", { x: middle, y: HEIGHT - 6, "text-anchor": "middle" }, labelOf(step.hex)));
    free = middle;
  }
  return picture;
}
