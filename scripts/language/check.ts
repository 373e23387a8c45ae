/**
 * Checks the language of documents, comments, names and texts. It finds terms that the project replaces (`terms.json`), and sentences
 * that open with a headless clause. `bun run check` runs it. With arguments it checks the paths that begin with them.
 */
import { readFileSync } from "node:fs";
import ts from "typescript";
import { exempt, storedNames } from "./exempt";
import { openings, terms } from "./terms.json";

interface Finding {
	readonly file: string;
	readonly line: number;
	readonly text: string;
	readonly problem: string;
}

/** A piece of prose: where it begins in its file, and whether its first word opens a sentence. */
interface Prose {
	readonly at: number;
	readonly text: string;
	readonly opensSentence: boolean;
	/** A test name opens a sentence in lower case. */
	readonly anyCase?: boolean;
}

const forbidden = terms.map(({ pattern, write }) => ({ expression: new RegExp(`\\b(?:${pattern})\\b`, "gi"), write }));
const opening = `^[\\s*/#>\\-|]*(?:${openings.join("|")})\\b`;
const headless = new RegExp(opening);
const headlessInAnyCase = new RegExp(opening, "i");

/** Comments, and the string literals and JSX texts that contain a space. */
function proseOfCode(file: string, text: string): Prose[] {
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const comments = new Map<number, Prose>();
	const strings: Prose[] = [];
	let endOfComment = -1;
	const visit = (node: ts.Node): void => {
		const ranges = [
			...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
			...(ts.getTrailingCommentRanges(text, node.end) ?? []),
		];
		for (const { pos, end } of ranges)
			if (!comments.has(pos)) comments.set(pos, { at: pos, text: text.slice(pos, end), opensSentence: true });
		if (
			ts.isStringLiteralLike(node) ||
			ts.isJsxText(node) ||
			ts.isTemplateHead(node) ||
			ts.isTemplateMiddleOrTemplateTail(node)
		)
			if (node.text.trim().includes(" "))
				strings.push({ at: node.getStart(), text: node.text, opensSentence: isTestName(node), anyCase: true });
		if (ts.isIdentifier(node) && isDeclared(node) && !storedNames.has(node.text))
			strings.push({ at: node.getStart(), text: wordsOf(node.text), opensSentence: false });
		for (const child of node.getChildren(source)) visit(child);
	};
	visit(source);
	// Only the first line of a block of `//` comments opens a sentence for certain.
	const inOrder = [...comments.values()]
		.sort((one, other) => one.at - other.at)
		.map((comment) => {
			const continues =
				endOfComment >= 0 &&
				/^[\t ]*\r?\n?[\t ]*$/.test(text.slice(endOfComment, comment.at)) &&
				comment.text.startsWith("//");
			endOfComment = comment.at + comment.text.length;
			return continues ? { ...comment, opensSentence: false } : comment;
		});
	return [...inOrder, ...strings];
}

/** Whether a name stands where the code declares it. */
const isDeclared = (name: ts.Identifier): boolean =>
	"name" in name.parent &&
	name.parent.name === name &&
	!ts.isImportSpecifier(name.parent) &&
	!ts.isPropertyAccessExpression(name.parent);

/** The words of a name in camel case: `isOpen` is "is open". */
const wordsOf = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();

/** Whether a text names a test or a group of tests: `test("…")`, `describe("…")`, `test.each(…)("…")`. */
function isTestName(node: ts.Node): boolean {
	const call = node.parent;
	return (
		ts.isCallExpression(call) && call.arguments[0] === node && /^(?:test|describe|it)\b/.test(call.expression.getText())
	);
}

/** Paragraphs, list items, headings and quotes of a Markdown page, without its code blocks and inline code. */
function proseOfPage(text: string): Prose[] {
	const blank = (code: string) => code.replace(/[^\n]/g, " ");
	const lines = text
		.replace(/^```[\s\S]*?^```$/gm, blank)
		.replace(/^ {4}.*$/gm, blank)
		.replace(/`[^`\n]*`/g, blank)
		.split("\n");
	let at = 0;
	return lines.map((line, number) => {
		const opensSentence = /^\s*(?:[-#>*]|\d+\.)/.test(line) || (lines[number - 1] ?? "").trim() === "";
		const prose = { at, text: line, opensSentence };
		at += line.length + 1;
		return prose;
	});
}

function findingsOf(file: string): Finding[] {
	const text = readFileSync(file, "utf8");
	const found: Finding[] = [];
	for (const prose of file.endsWith(".md") ? proseOfPage(text) : proseOfCode(file, text)) {
		const add = (offset: number, problem: string) => {
			const at = prose.at + offset;
			const line = text.slice(0, at).split("\n").length;
			found.push({ file, line, problem, text: text.split("\n")[line - 1]?.trim() ?? "" });
		};
		if (prose.opensSentence && (prose.anyCase ? headlessInAnyCase : headless).test(prose.text))
			add(0, "opens with a headless clause: name the subject");
		for (const { expression, write } of forbidden)
			for (const match of prose.text.matchAll(expression)) add(match.index, `"${match[0]}": write ${write}`);
	}
	return found;
}

const only = process.argv.slice(2);
const listed = Bun.spawnSync(["git", "ls-files", "*.ts", "*.tsx", "*.md"]).stdout.toString().trim().split("\n");
const files = listed.filter((file) =>
	only.length > 0 ? only.some((path) => file.startsWith(path)) : !exempt.some((path) => file.startsWith(path)),
);
const findings = files.flatMap(findingsOf);
for (const { file, line, problem, text } of findings) console.log(`${file}:${line}: ${problem}\n\t${text}`);
console.log(`${findings.length} findings in ${files.length} files`);
process.exitCode = findings.length === 0 ? 0 : 1;
