import { ConsumptionSettlement } from "../../../src/areas/credits/consumption/settle";
import { issueGrant, type NewGrant } from "../../../src/areas/credits/operations.issue";
import { findWallet } from "../../../src/areas/credits/store.wallets";
import {
	type CreditGrantRow,
	type CreditWalletRow,
	creditEntries,
	creditGrants,
} from "../../../src/areas/credits/table";
import { getCurrency } from "../../../src/areas/currencies/operations";
import { ensureResource, getCustomer } from "../../../src/areas/customers/operations";
import type { Instant } from "../../../src/kernel/clock";
import type { Decimal } from "../../../src/kernel/decimal";
import type { Work } from "../../../src/kernel/work";
import { type Answer, type CallOptions, testNow, type World, world } from "../../support/world";

export const dayMs = 86_400_000;

/** Two customers, two currencies, a resource `site` of the first customer; grants by the operation, everything else over HTTP. */
export async function site(here: World = world()) {
	for (const id of ["tokens", "coins"])
		await here.call("POST", "/credits/custom-currencies", { body: { id, displayName: id.toUpperCase() } });
	for (const id of ["acme", "other"]) await here.call("POST", "/customers", { body: { id } });
	here.transactions.write(here.actor, (work) => ensureResource(work, getCustomer(work, "acme").id, "site"));
	const walletOf = (work: Work, currencyRef: string, resourceRef: string, customerRef: string) => ({
		customerId: getCustomer(work, customerRef).id,
		currencyId: getCurrency(work, currencyRef).id,
		resourceRef,
	});
	let keys = 0;
	return {
		here,
		at: (days: number) => (testNow + days * dayMs) as Instant,
		grant: (
			displayName: string,
			amount: number,
			{
				currency = "tokens",
				resource = "",
				customer = "acme",
				...given
			}: Partial<NewGrant> & { currency?: string; resource?: string; customer?: string } = {},
		): CreditGrantRow =>
			here.transactions.write(here.actor, (work) =>
				issueGrant(work, {
					...walletOf(work, currency, resource, customer),
					displayName,
					grantType: "PROMOTIONAL",
					amount: String(amount) as Decimal,
					effectiveAt: work.now,
					expireAt: null,
					...given,
				}),
			),
		consume: (
			amount: unknown,
			body: Readonly<Record<string, unknown>> = {},
			options: CallOptions = {},
		): Promise<Answer> => {
			keys += 1;
			return here.call("POST", "/credits/consumption", {
				...options,
				body: { customerId: "acme", currencyId: "tokens", amount, idempotencyKey: `key-${keys}`, ...body },
			});
		},
		consumeAsync: (
			items: ReadonlyArray<Readonly<Record<string, unknown>>>,
			options: CallOptions = {},
		): Promise<Answer> =>
			here.call("POST", "/credits/consumption/async", {
				...options,
				body: { consumptions: items.map((item) => ({ customerId: "acme", currencyId: "tokens", ...item })) },
			}),
		settle: () => new ConsumptionSettlement(here.thread).run(),
		wallet: (currency = "tokens", resource = "", customer = "acme"): CreditWalletRow | undefined =>
			here.transactions.read(here.actor, (work) => findWallet(work, walletOf(work, currency, resource, customer))),
		entries: () => here.transactions.read(here.actor, (work) => work.tx.select().from(creditEntries).all()),
		grants: () => here.transactions.read(here.actor, (work) => work.tx.select().from(creditGrants).all()),
	};
}
