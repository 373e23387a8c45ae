import { toIso } from "../../kernel/clock";
import type { Actor, Transactions } from "../../kernel/work";
import { allows } from "../access/rules";
import type { Scope } from "../access/rules.actors";
import { getCustomer } from "../customers/operations";
import { listEvents } from "../usage/events/operations";
import type { EventIds } from "../usage/events/rules.event-ids";
import { leftOut, sections } from "./rules.sections";
import { selectRows } from "./store";

/** Rows that are read at once and fit in memory; a read takes a few milliseconds. */
const rowsMax = 500;
const eventsMax = "100";

interface Exporting {
	readonly transactions: Transactions;
	readonly actor: Actor;
	readonly eventIds: EventIds;
}

/** An export names the sections that the caller's scopes do not allow. */
const missing = (scope: Scope): string => `Requires the scope ${scope}.`;

/**
 * Exports the customer's data as JSON Lines, a few lines at a time. The first line names the customer and the time.
 * Then each row follows with the name of its section. The last line has the number of rows; an export without it is
 * incomplete. Each page shows the data at the time of its reading.
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
			// Yields even if the page has no rows, so that other requests are served in the meantime.
			yield lines("events", page.rows);
			after = page.next;
		} while (after !== null);
	yield `${JSON.stringify({ end: { rows } })}\n`;
}

/** Returns the row with its JSON columns parsed. */
const readable = (row: Readonly<Record<string, unknown>>): object =>
	Object.fromEntries(Object.entries(row).map(([name, value]) => [name, jsonIn(value)]));

function jsonIn(value: unknown): unknown {
	if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
	try {
		return JSON.parse(value);
	} catch {
		// The text only resembles JSON.
		return value;
	}
}
