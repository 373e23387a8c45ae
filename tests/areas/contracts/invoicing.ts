import { draftWorld, items } from "./support";

export const publish = "/contracts/C-1/billing/publish";

/** From the day after the tests' now on. */
export const term = { activationStartDate: "2026-02-01T00:00:00.000Z", activationEndDate: "2027-02-01T00:00:00.000Z" };
export const day = (iso: string | null) => iso?.slice(0, 10);

export type World = Awaited<ReturnType<typeof draftWorld>>;

/** A draft with these lines, over the term unless they say otherwise. */
export async function drafted(lines: object[], window: object = term): Promise<World> {
	const here = await draftWorld();
	const { status, body } = await here.call("POST", items, { body: { items: lines, ...window } });
	if (status !== 201) throw new Error(JSON.stringify(body));
	return here;
}

export async function published(lines: object[], window: object = term): Promise<World> {
	const here = await drafted(lines, window);
	const { status, body } = await here.call("POST", publish);
	if (status !== 200) throw new Error(JSON.stringify(body));
	return here;
}

/** By issue date, then number: what the customer was sent. */
export async function invoicesOf({ call }: World) {
	const { body } = await call("GET", "/customers/acme/invoices?limit=100");
	return body.data as Array<{
		invoiceNumber: string;
		contractExternalId: string;
		issueDate: string;
		dueDate: string;
		total: number;
		lineItems: Array<{ description: string; quantity: number | null; amount: number }>;
	}>;
}

/** "2026-02-01 due 2026-03-03: 100" for each invoice. */
export const summaryOf = (invoices: ReadonlyArray<{ issueDate: string; dueDate: string; total: number }>) =>
	invoices.map(({ issueDate, dueDate, total }) => `${day(issueDate)} due ${day(dueDate)}: ${total}`);
