/** The values that replace the personal fields of an event. */
const erasedFields = { email: null, billingId: null, metadata: {}, paymentMethodId: null, poNumber: null } as const;

/** Returns the payload of a customer's event without personal data; `token` replaces the name. */
export function erasedPayload(payload: string, token: string): string {
	const fields: Readonly<Record<string, unknown>> = JSON.parse(payload);
	const erased = Object.entries({ name: token, ...erasedFields }).filter(([name]) => Object.hasOwn(fields, name));
	return JSON.stringify({ ...fields, ...Object.fromEntries(erased) });
}
