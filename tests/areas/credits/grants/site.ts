import { consumeFromWallets, type WalletUse } from "../../../../src/areas/credits/operations.consume";
import { totalsOf } from "../../../../src/areas/credits/operations.wallets";
import { findWallet } from "../../../../src/areas/credits/store.wallets";
import { creditEntries } from "../../../../src/areas/credits/table";
import { getShownCurrency } from "../../../../src/areas/currencies/operations";
import { getCustomer } from "../../../../src/areas/customers/operations";
import type { Decimal } from "../../../../src/kernel/decimal";
import type { Work } from "../../../../src/kernel/work";
import { type Answer, preparedWorld, type World } from "../../../support/world";
import { maker } from "../../packages/catalogue";

export const path = "/credits/grants";
export const nowhere = "01900000-0000-7000-8000-000000000000";
export const gift = {
	customerId: "acme",
	currencyId: "gold",
	displayName: "Gift",
	grantType: "PROMOTIONAL",
	amount: 100,
};
export const sold = { ...gift, displayName: "Pack", grantType: "PAID", cost: { amount: 20, currency: "usd" } };

/** The currencies `gold` and `silver`, and the customer `acme`. */
export const bank = (): Promise<World> => preparedWorld("bank", fillBank);

export async function fillBank(ours: World): Promise<void> {
	await maker(ours).currency("gold");
	await maker(ours).currency("silver");
	await ours.call("POST", "/customers", { body: { id: "acme", name: "Acme Ltd", email: "billing@acme.test" } });
}

/** Grants credits by the API, and asserts success. */
export async function give({ call }: World, body: object = {}): Promise<Answer["body"]> {
	const answer = await call("POST", path, { body: { ...gift, ...body } });
	if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
	return answer.body.data;
}

export const listed = async ({ call }: World, query = ""): Promise<Answer["body"][]> =>
	(await call("GET", `${path}?customerId=acme${query}`)).body.data;

const walletIn = (work: Work, resourceRef = "", currency = "gold") => ({
	customerId: getCustomer(work, "acme").id,
	currencyId: getShownCurrency(work, currency).id,
	resourceRef,
});

/** Consumes gold from a wallet of acme. */
export const take = ({ transactions, actor }: World, amount: number, resourceRef = ""): void => {
	transactions.write(actor, (work) => {
		const draw: WalletUse = {
			wallet: walletIn(work, resourceRef),
			amount: String(amount) as Decimal,
			at: work.now,
			featureId: null,
			eventId: work.newId(),
			dimensions: null,
		};
		consumeFromWallets(work, [draw]);
	});
};

/** Returns the totals of a wallet of acme: granted and used. */
export const wallet = ({ transactions, actor }: World, resourceRef = ""): [limit: number, usage: number] =>
	transactions.read(actor, (work) => {
		const found = findWallet(work, walletIn(work, resourceRef));
		const shown = found && totalsOf(found);
		return [Number(shown?.limit ?? 0), Number(shown?.usage ?? 0)];
	});

/** `type amount`, in the order of the ledger. */
export const ledger = ({ transactions, actor }: World): string[] =>
	transactions.read(actor, (work) =>
		work.tx
			.select()
			.from(creditEntries)
			.all()
			.map(({ eventType, amount }) => `${eventType.replace("CREDITS_", "")} ${amount}`),
	);

export const invoices = async ({ call }: World): Promise<Answer["body"][]> =>
	(await call("GET", "/customers/acme/invoices")).body.data;

export const pay = ({ call }: World, invoiceId: string): Promise<Answer> =>
	call("POST", `/customers/acme/invoices/${invoiceId}/paid`);
