import type { Instant } from "../../../src/kernel/clock";
import type { CallOptions } from "../../support/world";
import { decimal, instant, line } from "../invoices/samples";
import { invoiceWorld } from "../invoices/support";

export const standard = { id: "standard", displayName: "Standard", end: { action: "LEAVE_OPEN", afterDays: 42 } };

/** A world on a frozen clock on 1 February 2026, 12:00 UTC, with a customer in Berlin and, unless `policy` is null, a default policy. */
export async function dunningSite(policy: object | null = {}, customer: object = {}) {
	const world = invoiceWorld();
	const send = async (method: string, path: string, body?: unknown, options: CallOptions = {}) => {
		const answer = await world.call(method, path, { ...options, ...(body !== undefined && { body }) });
		return { status: answer.status, ...answer.body };
	};
	const change = { email: "books@cust-1.example", timezone: "Europe/Berlin", language: "en", ...customer };
	await send("PATCH", "/customers/cust-1", change);
	await world.advance("2026-02-01T12:00:00Z");
	if (policy) await send("POST", "/dunning-policies", { ...standard, appliesTo: { isDefault: true }, ...policy });
	const collection = (id: string, verb: string, body: object = {}) =>
		send("POST", `/customers/cust-1/invoices/${id}/collection/${verb}`, body);
	return {
		...world,
		send,
		/** Issues an invoice now, due on a day at noon UTC, and starts its case. */
		bill: async (due: string, changes: Parameters<typeof world.issue>[0] = {}) => {
			const now = world.transactions.read(world.actor, (work) => work.now);
			const invoice = world.issue({
				lines: [line({ amount: decimal(100) })],
				...{ issuedAt: now, dueAt: instant(`${due}T12:00:00Z`), ...changes },
			});
			await world.advance(now);
			return invoice;
		},
		collection,
		shown: async (id: string) => (await send("GET", `/customers/cust-1/invoices/${id}/collection`)).data,
		/** The steps of the case as "kind days outcome time". */
		steps: async (id: string): Promise<string[]> =>
			(await send("GET", `/customers/cust-1/invoices/${id}/collection`)).data.steps.map(
				({ kind, days, outcome, at }: Record<string, unknown>) => `${kind} ${days} ${outcome} ${at}`,
			),
		mails: async (limit = 100) => (await send("GET", `/customers/cust-1/reminders?limit=${limit}`)).data.toReversed(),
		pay: async (id: string) => (await send("POST", `/customers/cust-1/invoices/${id}/payments`, { amount: 100 })).data,
		now: (): Instant => world.transactions.read(world.actor, (work) => work.now),
	};
}
