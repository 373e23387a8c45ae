/**
 * `bun run mutants COUNT SOURCE … -- TEST …`: changes one operator of the sources at a time, in a copy of the last commit, and runs the
 * tests. A mutant is killed if a test fails or does not end. Prints the survivors and the score. COUNT mutants are chosen evenly; 0: all.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { $ } from "bun";
import ts from "typescript";

const testMs = 120_000;

interface Mutant {
	readonly path: string;
	readonly start: number;
	readonly end: number;
	readonly text: string;
	readonly line: number;
}

const operators: Readonly<Record<string, string>> = {
	"<": "<=",
	"<=": "<",
	">": ">=",
	">=": ">",
	"===": "!==",
	"!==": "===",
	"&&": "||",
	"||": "&&",
	"+": "-",
	"-": "+",
	"*": "/",
	"/": "*",
};

/** The methods of exact numbers. */
const methods: Readonly<Record<string, string>> = {
	plus: "minus",
	minus: "plus",
	times: "div",
	div: "times",
	gt: "gte",
	gte: "gt",
	lt: "lte",
	lte: "lt",
	some: "every",
	every: "some",
};

/** Returns the mutants of a source. Types, texts and imports have none. */
function mutantsOf(path: string): Mutant[] {
	const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
	const found: Mutant[] = [];
	const add = (node: ts.Node, text: string): void => {
		const start = node.getStart(source);
		const line = source.getLineAndCharacterOfPosition(start).line + 1;
		found.push({ path, start, end: node.getEnd(), text, line });
	};
	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
		if (ts.isBinaryExpression(node)) {
			const other = operators[node.operatorToken.getText(source)];
			if (other) add(node.operatorToken, other);
		}
		if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent) && node.parent.expression === node) {
			const other = methods[node.name.text];
			if (other) add(node.name, other);
		}
		if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(source)})`);
		if (ts.isIfStatement(node)) add(node.expression, `!(${node.expression.getText(source)})`);
		if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "false");
		if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "true");
		if (ts.isNumericLiteral(node)) add(node, node.text === "0" ? "1" : "0");
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** Chooses up to `count` of them, evenly; 0: all. */
const chosen = <One>(all: readonly One[], count: number): One[] =>
	count === 0 || count >= all.length
		? [...all]
		: Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)]).filter(
				(one) => one !== undefined,
			);

async function passes(folder: string, tests: readonly string[]): Promise<boolean> {
	const run = Bun.spawn([process.execPath, "test", "--bail", ...tests], {
		cwd: folder,
		stdout: "ignore",
		stderr: "ignore",
		timeout: testMs,
		killSignal: "SIGKILL",
	});
	return (await run.exited) === 0;
}

const [count = "", ...rest] = process.argv.slice(2);
const at = rest.indexOf("--");
const [sources, tests] = at === -1 ? [rest, []] : [rest.slice(0, at), rest.slice(at + 1)];
if (!/^\d+$/.test(count) || sources.length === 0 || tests.length === 0) {
	console.error("Usage: bun run mutants COUNT SOURCE … -- TEST …");
	process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "mutants-"));
try {
	await $`git archive HEAD | tar -x -C ${folder}`;
	symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
	if (!(await passes(folder, tests))) throw new Error("The tests fail without a change.");
	const all = chosen(sources.flatMap(mutantsOf), Number(count));
	let killed = 0;
	for (const { path, start, end, text, line } of all) {
		const file = join(folder, path);
		const before = readFileSync(file, "utf8");
		writeFileSync(file, before.slice(0, start) + text + before.slice(end));
		if (await passes(folder, tests)) console.log(`survived: ${path}:${line} ${before.slice(start, end)} → ${text}`);
		else killed += 1;
		writeFileSync(file, before);
	}
	console.log(`${killed} of ${all.length} mutants killed (${((100 * killed) / all.length).toFixed(0)} %)`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
