import { readdirSync } from "node:fs";
import { dirname, join, normalize, relative, resolve } from "node:path";

const root = resolve(import.meta.dir, "../..");

/** The pages that people read, by their paths in the repository. */
export const pages: readonly string[] = [
	...["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
	...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".md"))
		.map((name) => `docs/${name}`)
		.sort(),
];

export const textOf = (page: string): Promise<string> => Bun.file(join(root, page)).text();

/** A link of a page, as a path in the repository. */
export const linked = (page: string, link: string): string =>
	relative(root, normalize(join(root, dirname(page), link.replace(/#.*/, ""))));

/** Returns the anchors of the page's headings, as GitHub makes them. */
export const anchorsOf = (text: string): string[] =>
	[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, "")
			.replaceAll(" ", "-"),
	);

/** Returns the page's blocks that are marked `sh`. */
export const commandsOf = (text: string): string[] =>
	[...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = ""]) => commands);

/** The page whose commands come before this one's; undefined where it begins by itself. */
export function continues(page: string, text: string): string | undefined {
	const link = /The commands continue after those of (?:the )?\[[^\]]+\]\(([^)]+)\)/.exec(text)?.[1];
	return link === undefined ? undefined : linked(page, link);
}
