/** Writes the page of the scenarios: `bun tests/figures-of-others/make.ts`. */
import { documentOf } from "./document";
import { systems } from "./systems";

await Bun.write("docs/figures-of-others.md", documentOf(systems));
