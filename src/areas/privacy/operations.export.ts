import { toIso } from "../../kernel/clock";
import type { Actor, Transactions } from "../../kernel/work";
import { allows } from "../access/rules";
import type { Scope } from "../access/rules.actors";
import { getCustomer } from "../customers/operations";
import { listEvents } from "../usage/events/operations";
import type { EventIds } from "../usage/events/rules.event-ids";
import { leftOut, sections } from "./rules.sections";
import { selectRows } from "./store";

/** Our choice: so many rows are read at once, and are in memory: a few milliseconds. */
const rowsMax = 500;
const eventsMax = "100";

interface Exporting {
	readonly transactions: Transactions;
	readonly actor: Actor;
	readonly eventIds: EventIds;
}

/** What the caller may not read is not told; all else is, or is left out for a reason. */
const missing = (scope: Scope): string => `Not told to you: it needs ${scope}.`;

/**
 * All that is held of a customer that the caller may read, some lines of JSON at a time: first of whom and when, then each row as it is kept, with the
 * name of its section; at last how many there were, without which it is not whole. Each page is as it is when it is read.
 */
export function* exportCustomer({ transactions, actor, eventIds }: Exporting, customerRef: string): Generator<string> {
	const { id, at } = transactions.read(actor, (work) => ({ id: getCustomer(work, customerRef).id, at: work.now }));
	let rows = 0;
	const lines = (section: string, found: readonly object[]): string => {
		rows += found.length;
		return found.map((row) => `${JSON.stringify({ section, row })}\n`).join("");
	};
	const { environmentId, scopes } = actor;
	const refused = sections.filter(({ scope }) => !allows(scopes, scope));
	const mayReadEvents = allows(scopes, "USAGE:READ");
	const head = {
		...{ customerId: customerRef, entityId: id, environmentId, exportedAt: toIso(at) },
		leftOut: {
			...Object.fromEntries(refused.map(({ table, scope }) => [table, missing(scope)])),
			...leftOut,
			...(!mayReadEvents && { events: missing("USAGE:READ") }),
		},
	};
	yield `${JSON.stringify({ export: head })}\n`;
	for (const section of sections) {
		if (refused.includes(section)) continue;
		let after: readonly unknown[] | undefined;
		do {
			const page = transactions.read(actor, (work) => selectRows(work, section, id, after, rowsMax));
			if (page.rows.length > 0) yield lines(section.table, page.rows.map(readable));
			after = page.next;
		} while (after);
	}
	let after: string | null = null;
	if (mayReadEvents)
		do {
			const place: { readonly after?: string } = after === null ? {} : { after };
			const page = transactions.read(actor, (work) =>
				listEvents(work, { customerId: customerRef, limit: eventsMax, ...place }, eventIds),
			);
			// A page that has found nothing yields as well: others are served meanwhile.
			yield lines("events", page.rows);
			after = page.next;
		} while (after !== null);
	yield `${JSON.stringify({ end: { rows } })}\n`;
}

/** What a column keeps as JSON is told as such. */
const readable = (row: Readonly<Record<string, unknown>>): object =>
	Object.fromEntries(Object.entries(row).map(([name, value]) => [name, jsonIn(value)]));

function jsonIn(value: unknown): unknown {
	if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
	try {
		return JSON.parse(value);
	} catch {
		// A text that only looks like it.
		return value;
	}
}
