// Stands in for the two modules of Astro that its loaders import: its zod, and its image service.
import { register } from "node:module";

const source = `
const MODULES = {
  "astro/zod": "export * from 'zod';",
  "astro:assets": "export const getImage = ({ src }) => ({ src, options: { src } });",
  "astro:content": "",
};
export function resolve(name, context, next) {
  if (name === "astro/zod") return next("zod", { ...context, parentURL: "PARENT" });
  return name in MODULES ? { url: "astro:" + name, shortCircuit: true } : next(name, context);
}
export function load(url, context, next) {
  const source = MODULES[url.slice("astro:".length)];
  if (!url.startsWith("astro:")) return next(url, context);
  return { format: "module", source, shortCircuit: true };
}`.replace("PARENT", import.meta.url);
register(`data:text/javascript,${encodeURIComponent(source)}`);
