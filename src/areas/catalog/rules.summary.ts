import type { Applied } from "./operations";
import type { Change, FieldChange } from "./rules.diff";
import { entryName } from "./rules.unchangeable";

const signs = { add: "+", change: "~", archive: "-" } as const;

/** The maximum length of a shown value; the file has the whole value. */
const valueLengthMax = 200;

/** Returns a readable difference, or one line if there is none. `done` means that it was applied. */
export function viewDifference({ changes, kept, taskIds }: Applied, done: boolean): string {
	const lines = changes.flatMap(viewChange);
	if (changes.length === 0) lines.push("no changes");
	else {
		const count = (action: Change["action"]): number => changes.filter((change) => change.action === action).length;
		const verbs = done ? ["added", "changed", "archived"] : ["to add", "to change", "to archive"];
		lines.push("", `${count("add")} ${verbs[0]}, ${count("change")} ${verbs[1]}, ${count("archive")} ${verbs[2]}.`);
	}
	if (kept.length > 0) lines.push(`Not in the file, and left as it is: ${listed(kept)}. With --prune it is archived.`);
	// A dry run rolls back its tasks too.
	if (done) for (const id of taskIds) lines.push(`Subscriptions are being moved by task ${id}.`);
	return lines.join("\n");
}

/** The maximum number of kept entries that are named. */
const keptShownMax = 10;

const listed = (kept: Applied["kept"]): string =>
	kept
		.slice(0, keptShownMax)
		.map(({ list, id }) => `${entryName[list]} ${id}`)
		.join(", ") + (kept.length > keptShownMax ? ` and ${kept.length - keptShownMax} more` : "");

const viewChange = ({ action, list, id, name, fields }: Change): string[] => [
	`${signs[action]} ${entryName[list]} ${id}${action === "change" ? "" : `  ${JSON.stringify(name)}`}`,
	...fields.map(viewField),
];

function viewField({ path, before, after }: FieldChange): string {
	if (before === undefined) return `    + ${path}: ${viewValue(after)}`;
	if (after === undefined) return `    - ${path}: ${viewValue(before)}`;
	return `    ~ ${path}: ${viewValue(before)} → ${viewValue(after)}`;
}

/** Returns the value on one line: money as amount and currency, everything else as JSON. */
function viewValue(value: unknown): string {
	const text = JSON.stringify(value, (_, inner: unknown) =>
		isAmount(inner) ? `${inner.amount} ${inner.currency}` : inner,
	);
	const plain = isAmount(value) ? text.slice(1, -1) : text;
	return plain.length > valueLengthMax ? `${plain.slice(0, valueLengthMax)}…` : plain;
}

const isAmount = (value: unknown): value is { readonly amount: number; readonly currency: string } =>
	typeof value === "object" && value !== null && Object.keys(value).join() === "amount,currency";
