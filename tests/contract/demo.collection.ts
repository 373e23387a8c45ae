import { chooseEnvironment } from "../../src/areas/access/operations";
import { systemActor } from "../../src/areas/access/rules.actors";
import { insertAttempt } from "../../src/areas/collection/attempts/store";
import { insertConnection } from "../../src/areas/collection/connections/store";
import type { ProviderConnectionRow } from "../../src/areas/collection/connections/table";
import { storeMethod } from "../../src/areas/collection/methods/operations";
import { saveMethod } from "../../src/areas/collection/methods/store";
import { insertPage } from "../../src/areas/collection/pages/store";
import type { SavedMethod } from "../../src/areas/collection/providers/provider";
import { getCustomer } from "../../src/areas/customers/operations";
import { issuerOf } from "../../src/areas/legal-entities/operations";
import type { Instant } from "../../src/kernel/clock";
import { toDecimal } from "../../src/kernel/decimal";
import type { Work } from "../../src/kernel/work";
import { aRefund } from "../areas/collection/refunds/refund";
import type { Demo } from "../support/demo";

type Ids = Readonly<Record<string, string>>;

const make =
	(run: (work: Work, connection: ProviderConnectionRow) => Ids) =>
	async (demo: Demo): Promise<Ids> => {
		const { transactions } = demo;
		const environment = transactions.read(systemActor(""), (work) => chooseEnvironment(work, undefined));
		const made = transactions.write(systemActor(environment.id), (work) => run(work, aConnection(work)));
		await transactions.committed();
		return made;
	};

/** An account at a payment provider, as if the provider had accepted its credentials. */
const aConnection = (work: Work): ProviderConnectionRow =>
	insertConnection(work, {
		...{ id: work.newId(), kind: "STRIPE", name: "Cards", mode: "TEST", account: "Acme", legalEntityRefId: null },
		...{ sealedSecret: "sealed", sealedWebhookSecret: null, formerSealedWebhookSecret: null, formerUntil: null },
	});

const id = "customer-acme";

const aPage = make((work, connection) => {
	const page = insertPage(work, {
		...{ id: work.newId(), customerId: getCustomer(work, id).id, connectionId: connection.id, ref: "cs_1" },
		...{ url: "https://example.com", customerRef: null, state: "OPEN", dueAt: null, openedAt: work.machineNow },
		expiresAt: (work.machineNow + 3_600_000) as Instant,
	});
	return { id, pageId: page.id };
});

const card: SavedMethod = {
	...{ ref: "pm_1", customerRef: "cus_1", kind: "CARD", brand: "visa", last4: "4242" },
	...{ expiresMonth: 12, expiresYear: 2099, country: "US" },
};

const aMethod = make((work, connection) => ({
	id,
	methodId: saveMethod(work, { customerId: getCustomer(work, id).id, connectionId: connection.id }, card).id,
}));

const anAttempt = (state: "PLANNED" | "UNKNOWN") =>
	make((work, connection) => {
		const customer = getCustomer(work, id);
		const method = storeMethod(work, customer, connection.id, card);
		const legal = issuerOf(work, null).entity.id;
		const attempt = insertAttempt(
			work,
			{
				...{ id: work.newId(), customerId: customer.id, legalEntityId: legal, connectionId: connection.id },
				...{ methodId: method?.id ?? "", trigger: "MANUAL", currency: "usd", amount: toDecimal("20") },
				...{ description: "Example", state, ref: null, pending: null, keyNumber: 1, keySince: null },
				...{ isCancelWanted: false, received: null, failure: null, actionUrl: null, receiptId: null },
				...{ startedAt: work.machineNow, dueAt: null, endedAt: null },
			},
			[],
		);
		return { id: attempt.id };
	});

/** Prepares the examples of payments (openapi.examples.test.ts). */
export const collectionExamples = {
	...Object.fromEntries(
		["retrieve", "update", "archive"].map((name) => [
			`providerConnections.${name}`,
			make((_, connection) => ({ id: connection.id })),
		]),
	),
	"customers.retrievePaymentMethodSetup": aPage,
	"customers.setDefaultPaymentMethod": aMethod,
	"customers.removePaymentMethod": aMethod,
	"refunds.retrieve": make((work, connection) => ({ id: aRefund(work, id, connection.id).id })),
	"attempts.retrieve": anAttempt("PLANNED"),
	"attempts.cancel": anAttempt("PLANNED"),
	"attempts.resolve": anAttempt("UNKNOWN"),
};

/** Operations without an example on demo data: the collector calls a provider, the invoice needs a saved method, or a provider signs. */
export const ofProviders = [
	...["providerConnections.create", "providerConnections.receiveEvent"],
	...["customers.savePaymentMethod", "customers.setupPaymentMethod", "attempts.create"],
	...["portal.setupPaymentMethod", "portal.setDefaultPaymentMethod", "portal.removePaymentMethod", "portal.payInvoice"],
	...["disputes.sendEvidence", "disputes.accept", "refunds.create"],
];
