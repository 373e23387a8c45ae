/** The values that replace the personal fields of an event. */
const erasedFields = { email: null, billingId: null, metadata: {}, paymentMethodId: null, poNumber: null } as const;

/** The payload of an event about a customer without what is personal in it; `token` stands for the name. */
export function erasedPayload(payload: string, token: string): string {
	const fields: Readonly<Record<string, unknown>> = JSON.parse(payload);
	const erased = Object.entries({ name: token, ...erasedFields }).filter(([name]) => Object.hasOwn(fields, name));
	return JSON.stringify({ ...fields, ...Object.fromEntries(erased) });
}
