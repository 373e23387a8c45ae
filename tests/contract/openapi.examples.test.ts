import { expect, test } from "bun:test";
import { chooseEnvironment, createUser } from "../../src/areas/access/operations";
import { systemActor } from "../../src/areas/access/rules.actors";
import { getInvoice, issueInvoice } from "../../src/areas/invoices/operations";
import { toDecimal } from "../../src/kernel/decimal";
import { type Demo, demoKey, openDemo } from "../support/demo";
import { earlierOfBank } from "./bank-entries";
import { collectionExamples, ofProviders } from "./demo.collection";
import { debitExamples } from "./direct-debits";
import { faults, operations, type Parameter } from "./documented";
import { dunningExamples } from "./examples.dunning";

async function ask({ answer, transactions }: Demo, method: string, path: string, body?: unknown, token?: string) {
	const own = transactions.read(systemActor(""), (work) => chooseEnvironment(work, undefined).id);
	const response = await answer(
		new Request(`http://localhost${path}`, {
			method,
			headers: {
				...(token === undefined
					? { "x-api-key": demoKey }
					: { authorization: `Bearer ${token}`, "x-environment-id": own }),
				...(body !== undefined && { "content-type": "application/json" }),
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		}),
	);
	const text = await response.text();
	return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

const exampleOf = (id: string): unknown =>
	operations.find(({ operationId }) => operationId === id)?.requestBody?.content["application/json"]?.example;

/** The subscription of the examples, without a trial. */
async function soldIn(demo: Demo) {
	const sale = exampleOf("subscriptions.provision") as { readonly id: string };
	await ask(demo, "POST", "/api/v1/subscriptions", { ...sale, trialOverrideConfiguration: { isTrial: false } });
	return { id: sale.id };
}

/** Where an example stands for what only an earlier call answers: that call first, and what it answers in its place. */
const earlier: Readonly<Record<string, (demo: Demo) => Promise<Readonly<Record<string, string>>>>> = {
	"auth.login": async ({ transactions }) => {
		await signUp(transactions);
		return {};
	},
	"auth.logout": signedIn,
	"auth.me": signedIn,
	"tasks.retrieve": async (demo) =>
		(await ask(demo, "POST", "/api/v1/subscriptions/import", exampleOf("subscriptions.import"))).body.data,
	...Object.fromEntries(
		[
			...["retrieveInvoice", "retrieveInvoicePdfStatus", "generateInvoicePdf", "markInvoiceAsPaid", "creditInvoice"],
			...["listInvoicePayments", "recordInvoicePayment", "explainInvoiceLine"],
		].map((name) => [`customers.${name}`, anInvoice]),
	),
	...{ "customers.finalizeInvoice": aDraft, "customers.addInvoiceLine": aDraft, "customers.removeInvoiceLine": aDraft },
	...{ ...dunningExamples(ask, exampleOf), ...earlierOfBank(ask, operations), ...debitExamples },
	...Object.fromEntries(
		[
			...["receipts.retrieve", "receipts.allocate", "receipts.refund", "receipts.return", "receipts.recordDispute"],
			...["receipts.reverseAllocation", "customers.reverseInvoicePayment", "disputes.retrieve", "disputes.changeState"],
		].map((name) => [name, aReceipt]),
	),
	"customers.retrieveCreditNote": aCreditNote,
	"customers.voidCreditNote": async (demo) => {
		const { invoiceRef } = await anInvoice(demo);
		const path = `/api/v1/customers/customer-acme/invoices/${invoiceRef}/credit-note`;
		const { creditNoteId } = (await ask(demo, "POST", path, { amount: 1 })).body.data;
		return { creditNoteRef: creditNoteId };
	},
	...Object.fromEntries(["retrieve", "commit", "release"].map((name) => [`reservations.${name}`, aReservation])),
	...Object.fromEntries(
		["retrieve", "update", "delete", "rotateSecret", "listDeliveries", "replay"].map((name) => [
			`webhooks.${name}`,
			aWebhook,
		]),
	),
	...Object.fromEntries(["usageAlerts.update", "usageAlerts.delete"].map((id) => [id, anAlert])),
	...Object.fromEntries(["approve", "decline"].map((name) => [`budgetRequests.${name}`, aBudgetRequest])),
	...Object.fromEntries(["update", "void"].map((name) => [`credits.grants.${name}`, aGrant])),
	"subscriptions.resume": async (demo) => {
		const { id } = await soldIn(demo);
		await ask(demo, "POST", `/api/v1/subscriptions/${id}/pause`, exampleOf("subscriptions.pause"));
		return { id };
	},
	"subscriptions.pause": async (demo) => soldIn(demo),
	"subscriptions.endTrial": async (demo) => {
		const sale = exampleOf("subscriptions.provision") as { readonly id: string };
		const trialOverrideConfiguration = { isTrial: true, trialEndDate: "2099-01-01T00:00:00Z" };
		await ask(demo, "POST", "/api/v1/subscriptions", { ...sale, trialOverrideConfiguration });
		return { id: sale.id };
	},
	"contracts.billing.reopen": after("cancel"),
	"contracts.billing.editActive": after("publish"),
	"contracts.billing.previewNextInvoice": after("publish"),
	"contracts.refreshUsage": after("publish"),
	"contracts.billing.discardAmendment": after("publish", "edit-active"),
	...collectionExamples,
	...Object.fromEntries(["retrieve", "update", "archive"].map((name) => [`legalEntities.${name}`, aLegalEntity])),
	...Object.fromEntries(["retrieve", "update", "rotate", "revoke"].map((name) => [`apiKeys.${name}`, anApiKey])),
	...Object.fromEntries(
		[
			...["retrieve", "retrieveBranding", "updateBilling", "listInvoices", "listReceipts", "signOut"],
			"retrievePayment",
			...["listOptions", "previewChange", "changeSubscription", "cancelSubscription"],
			...["retrieveLink", "listBudgets", "retrieveBudgets", "changeBudget"],
			...["listBudgetRequests", "createBudgetRequest"],
		].map((name) => [`portal.${name}`, aPortal]),
	),
	...Object.fromEntries(
		["approve", "decline"].map((verb) => [
			`portal.${verb}BudgetRequest`,
			async (demo: Demo) => ({ ...(await aPortal(demo)), ...(await aBudgetRequest(demo)) }),
		]),
	),
	"portal.keepSubscription": async (demo) => {
		const portal = await aPortal(demo);
		const productSettings = {
			subscriptionStartSetup: "PLAN_SELECTION",
			subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
			subscriptionCancellationTime: "END_OF_BILLING_PERIOD",
		};
		await ask(demo, "PATCH", "/api/v1/products/product-atlas", { productSettings });
		await ask(demo, "POST", `/api/v1/portal/subscriptions/${portal.id}/cancel`, undefined, portal.token);
		return portal;
	},
	"checkoutSessions.retrieve": async (demo) => ({ id: (await aCheckout(demo)).id ?? "" }),
	...Object.fromEntries(["retrieve", "retrieveBranding", "preview"].map((name) => [`checkout.${name}`, aCheckout])),
	"environments.create": signedIn,
	"identityProviders.list": signedIn,
	"identityProviders.create": signedIn,
	...Object.fromEntries(
		["update", "delete", "makeScimToken", "revokeScimToken"].map((name) => [
			`identityProviders.${name}`,
			made("/api/v1/identity-providers", "identityProviders.create"),
		]),
	),
	...Object.fromEntries(
		[
			...["members.list", "members.invite", "members.invitations.list", "roles.list", "roles.create"],
			...["sessions.list", "sessions.endAll", "auth.changePassword", "auth.totp.enrol"],
		].map((id) => [id, signedIn]),
	),
	...Object.fromEntries(["members.update", "members.remove"].map((id) => [id, aMember])),
	"members.invitations.delete": made("/api/v1/members/invitations", "members.invite"),
	...Object.fromEntries(["roles.update", "roles.delete"].map((id) => [id, made("/api/v1/roles", "roles.create")])),
	"sessions.end": async (demo) => {
		const { token = "" } = await signedIn(demo);
		const [{ id }] = (await ask(demo, "GET", "/api/v1/sessions", undefined, token)).body.data;
		return { token, id };
	},
	"environments.archive": withAnother,
	"environments.merge": withAnother,
	"plans.preview": drafting("plans/plan-pro"),
	"addons.preview": drafting("addons/addon-priority-support"),
	"plans.retrieveSimulation": async (demo) =>
		(await ask(demo, "POST", "/api/v1/plans/plan-pro/simulate", exampleOf("plans.simulate"))).body.data,
};

function drafting(path: string) {
	return async (demo: Demo) => {
		await ask(demo, "POST", `/api/v1/${path}/draft`);
		return {};
	};
}

/** The contract of the demo, after these steps of its billing. */
function after(...steps: readonly string[]) {
	return async (demo: Demo) => {
		for (const step of steps) await ask(demo, "POST", `/api/v1/contracts/contract-wayne/billing/${step}`, {});
		return {};
	};
}

/** The subscription of a customer that is paid for. */
async function aPortal(demo: Demo): Promise<Readonly<Record<string, string>>> {
	const answer = await ask(demo, "POST", "/api/v1/customers/customer-acme/portal-sessions", { budgets: "GOVERN" });
	const { token } = answer.body.data;
	const { subscriptions } = (await ask(demo, "GET", "/api/v1/portal", undefined, token)).body.data;
	return { token, id: subscriptions.find(({ quantities }: { quantities: unknown[] }) => quantities.length > 0).id };
}

async function aCheckout(demo: Demo): Promise<Readonly<Record<string, string>>> {
	const { id, url } = (await ask(demo, "POST", "/api/v1/checkout-sessions", exampleOf("checkoutSessions.create"))).body
		.data;
	return { id, token: url.slice(url.indexOf("#") + 1) };
}

async function aReservation(demo: Demo): Promise<Readonly<Record<string, string>>> {
	const path = "/api/v1/customers/customer-acme/entitlements/feature-seats/reservations";
	return { id: (await ask(demo, "POST", path, {})).body.data.reservation.id };
}

async function aGrant(demo: Demo): Promise<Readonly<Record<string, string>>> {
	return (await ask(demo, "POST", "/api/v1/credits/grants", exampleOf("credits.grants.create"))).body.data;
}

async function aLegalEntity(demo: Demo): Promise<Readonly<Record<string, string>>> {
	return (await ask(demo, "POST", "/api/v1/legal-entities", exampleOf("legalEntities.create"))).body.data;
}

async function anInvoice(demo: Demo): Promise<Readonly<Record<string, string>>> {
	const [invoice] = (await ask(demo, "GET", "/api/v1/customers/customer-acme/invoices")).body.data;
	return { invoiceRef: invoice.invoiceId };
}

/** With a second line, which was added by hand. */
async function aDraft(demo: Demo): Promise<Readonly<Record<string, string>>> {
	const [entity] = (await ask(demo, "GET", "/api/v1/legal-entities")).body.data;
	await ask(demo, "PATCH", `/api/v1/legal-entities/${entity.id}`, { invoiceGracePeriodDays: 3 });
	const { invoiceRef } = await anInvoice(demo);
	const environment = demo.transactions.read(systemActor(""), (work) => chooseEnvironment(work, undefined));
	const draft = demo.transactions.write(systemActor(environment.id), (work) => {
		const { customerId, customer, currency } = getInvoice(work, invoiceRef ?? "");
		const lines = [fee];
		return issueInvoice(work, { customerId, customer, currency, billingReason: "BILLING_CYCLE", lines });
	});
	await ask(demo, "POST", `/api/v1/customers/customer-acme/invoices/${draft.id}/lines`, {
		description: "Workshop",
		unitPrice: 10,
	});
	return { invoiceRef: draft.id };
}

const fee = {
	kind: "BaseCharge",
	description: "Fee",
	quantity: toDecimal(1),
	unitPrice: toDecimal(5),
	amount: toDecimal(5),
} as const;

async function aCreditNote(demo: Demo): Promise<Readonly<Record<string, string>>> {
	const [note] = (await ask(demo, "GET", "/api/v1/customers/customer-globex/credit-notes")).body.data;
	return { creditNoteRef: note.creditNoteId };
}

async function aBudgetRequest(demo: Demo): Promise<Readonly<Record<string, string>>> {
	const path = "/api/v1/customers/customer-acme/budget-requests";
	const { id } = (await ask(demo, "POST", path, exampleOf("budgetRequests.create"))).body.data;
	return { id };
}

async function anAlert(demo: Demo): Promise<Readonly<Record<string, string>>> {
	return (await ask(demo, "POST", "/api/v1/usage-alerts", exampleOf("usageAlerts.create"))).body.data;
}

async function withAnother(demo: Demo): Promise<Readonly<Record<string, string>>> {
	const signed = await signedIn(demo);
	await ask(demo, "POST", "/api/v1/environments", exampleOf("environments.create"), signed.token);
	return signed;
}

async function aWebhook(demo: Demo): Promise<Readonly<Record<string, string>>> {
	const { id } = (await ask(demo, "POST", "/api/v1/webhooks", exampleOf("webhooks.create"))).body.data;
	return { id };
}

async function anApiKey(demo: Demo): Promise<Readonly<Record<string, string>>> {
	const { id } = (await ask(demo, "POST", "/api/v1/api-keys", exampleOf("apiKeys.create"))).body.data;
	return { id };
}

/** A receipt with unallocated money, one allocation and a dispute. */
async function aReceipt(demo: Demo): Promise<Readonly<Record<string, string>>> {
	const { invoiceRef } = await anInvoice(demo);
	const report = { ...(exampleOf("receipts.record") as object), allocations: [{ invoiceId: invoiceRef, amount: 1 }] };
	const { receiptId, allocations: made } = (await ask(demo, "POST", "/api/v1/receipts", report)).body.data;
	const dispute = exampleOf("receipts.recordDispute");
	const { disputeId } = (await ask(demo, "POST", `/api/v1/receipts/${receiptId}/disputes`, dispute)).body.data;
	const { allocationId } = made[0];
	return { receiptId, allocationId, disputeId, paymentId: allocationId, invoiceRef: invoiceRef ?? "" };
}

function made(path: string, example: string) {
	return async (demo: Demo): Promise<Readonly<Record<string, string>>> => {
		const { token = "" } = await signedIn(demo);
		const { id } = (await ask(demo, "POST", path, exampleOf(example), token)).body.data;
		return { token, id };
	};
}

async function aMember(demo: Demo): Promise<Readonly<Record<string, string>>> {
	const { token = "" } = await signedIn(demo);
	demo.transactions.write(systemActor(""), (work) => {
		const { accountId } = chooseEnvironment(work, undefined);
		createUser(work, { email: "grace@example.com", name: null, passwordHash: "none", accountId, role: "MEMBER" });
	});
	const [{ id }] = (await ask(demo, "GET", "/api/v1/members", undefined, token)).body.data;
	return { token, id };
}

const { email, password } = exampleOf("auth.login") as { email: string; password: string };
/** A cheap one: a sign-in takes as long as the hash that it checks. */
const passwordHash = await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 1024, timeCost: 1 });

async function signUp(transactions: Demo["transactions"]): Promise<void> {
	transactions.write(systemActor(""), (work) => {
		const { accountId } = chooseEnvironment(work, undefined);
		createUser(work, { email, name: null, passwordHash, accountId, role: "OWNER" });
	});
}

async function signedIn(demo: Demo): Promise<Readonly<Record<string, string>>> {
	await signUp(demo.transactions);
	return (await ask(demo, "POST", "/api/v1/auth/login", exampleOf("auth.login"))).body.data;
}

/**
 * Operations that answer no JSON. PDFs are drawn by a thread; `openapi.client.test.ts` gets one from a whole server, and
 * `areas/entitlements/stream.test.ts` follows a stream of one. A logo is a picture (`areas/legal-entities`), and a bank's file no JSON (`areas/bank`).
 */
const drawn = [
	...["customers.retrieveInvoicePdf", "customers.retrieveCreditNotePdf"],
	...["receipts.retrievePdf", "contracts.retrieveOrderForm"],
	...["entitlements.stream", "eventsOut.stream"],
	// Lines of JSON (`areas/privacy`), and a table (`areas/governance/export`).
	...["customers.export", "customers.budgets.csv"],
	// A file for the bank, and a call that needs an invoice in euro (`areas/bank/debits`).
	...["directDebit.downloadFile", "directDebit.create"],
	// It needs a customer without running subscriptions (`areas/privacy`).
	...["customers.erase", "bank.import"],
	// These call somebody, or are about what was sent: no thread sends anything here (`areas/webhooks`).
	...["webhooks.test", ...ofProviders],
	...["webhooks.retrieveDelivery", "webhooks.replayDelivery", "legalEntities.retrieveLogo"],
	// These lead to a provider and back (`areas/identity-providers`), or are for one (`areas/scim`).
	...["auth.oidc.start", "auth.oidc.callback"],
	...operations.map(({ operationId }) => operationId).filter((id) => id.startsWith("scim.")),
	// These need what a mail or an app alone knows (`contract/people.test.ts`, `areas/access`).
	...["auth.acceptInvitation", "auth.requestPasswordReset", "auth.resetPassword"],
	...["auth.totp.confirm", "auth.totp.drop"],
	...["Invoice", "Receipt"].flatMap((kind) => [`portal.retrieve${kind}Pdf`, `customers.retrievePortal${kind}Pdf`]),
	// The request confirms the shown values, which no example can know (`areas/portal`).
	"checkout.confirm",
];

/** Reads change nothing: those without an earlier call share it. */
const demoOfReads = openDemo();

test.each(
	operations.filter(({ operationId }) => !drawn.includes(operationId)).map((one) => [one.operationId, one] as const),
)("%s: its example works on demo data, and the answer is as described", async (id, one) => {
	const demo = one.method === "GET" && !earlier[id] ? await demoOfReads : await openDemo();
	const { token, ...known } = (await earlier[id]?.(demo)) ?? {};
	const textOf = ({ name, example }: Parameter) => encodeURIComponent(known[name] ?? example ?? "");
	const path = one.parameters
		.filter((parameter) => parameter.in === "path")
		.reduce((filled, parameter) => filled.replace(`{${parameter.name}}`, textOf(parameter)), one.path);
	const query = one.parameters
		.filter((parameter) => parameter.in === "query" && parameter.example !== undefined)
		.map((parameter) => `${parameter.name}=${textOf(parameter)}`)
		.join("&");
	const body = one.requestBody?.content["application/json"]?.example;
	const answer = await ask(demo, one.method, query === "" ? path : `${path}?${query}`, body, token);
	expect({ status: answer.status, body: answer.status < 300 || answer.body }).toEqual({
		status: answer.status === 201 ? 201 : 200,
		body: true,
	});
	expect(faults(one, answer.status, answer.body)).toEqual([]);
});
