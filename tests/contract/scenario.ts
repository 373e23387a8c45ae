import { runBankImport } from "../../src/areas/bank/imports/import";
import { consumeFromWallets } from "../../src/areas/credits/operations.consume";
import { issueGrant } from "../../src/areas/credits/operations.issue";
import { getCurrency } from "../../src/areas/currencies/operations";
import { getCustomer } from "../../src/areas/customers/operations";
import { getFeature } from "../../src/areas/features/operations";
import { listLegalEntities } from "../../src/areas/legal-entities/operations";
import { runImport } from "../../src/areas/subscriptions/import/import";
import { Aggregator } from "../../src/areas/usage/counting/aggregator";
import { insertDeliveries } from "../../src/areas/webhooks/store.deliveries";
import { openLog } from "../../src/http/log";
import type { Instant } from "../../src/kernel/clock";
import { toDecimal } from "../../src/kernel/decimal";
import { newUuidV7 } from "../../src/kernel/ids";
import { openFile } from "../../src/kernel/storage/db";
import { openTransactions } from "../../src/kernel/storage/transactions";
import { drainTasks } from "../../src/workers/task-thread";
import { item } from "../areas/promotional-entitlements/grants";
import { type Answer, type World, world } from "../support/world";
import {
	base,
	both,
	charges,
	customer,
	display,
	entitlements,
	later,
	metadata,
	published,
	subscription,
	usageCharges,
	usd,
} from "./bodies";
import { someDebits } from "./direct-debits";
import { connections } from "./scenario.collection";
import { governance } from "./scenario.governance";

/** One call of the scenario, as it was sent and answered. */
export interface Exchange {
	readonly method: string;
	/** With its `/api/v1`, without its query. */
	readonly path: string;
	readonly body: unknown;
	readonly answer: Answer;
}

/** Calls every operation that stands, with bodies that fill what can be filled, and keeps what was answered. */
export async function play(): Promise<{ readonly here: World; readonly exchanges: readonly Exchange[] }> {
	const here = world();
	const exchanges: Exchange[] = [];
	const send = async (method: string, target: string, body?: unknown): Promise<Answer["body"]> => {
		const answer = await here.call(method, target, { ...(body !== undefined && { body }) });
		const path = `/api/v1${target.split("?")[0]}`;
		exchanges.push({ method, path, body, answer });
		if (answer.status >= 300) throw new Error(`${method} ${target}: ${answer.status} ${JSON.stringify(answer.body)}`);
		return answer.body.data;
	};
	await catalogue(send);
	await packages(send);
	await send("PATCH", "/products/app", {
		displayName: "App",
		description: "The application",
		metadata,
		multipleSubscriptions: true,
		productSettings: {
			subscriptionStartSetup: "FREE_PLAN",
			subscriptionStartPlanId: "free",
			subscriptionEndSetup: "DOWNGRADE_TO_FREE",
			downgradePlanId: "free",
			subscriptionCancellationTime: "IMMEDIATE",
			prorateAtEndOfBillingPeriod: true,
		},
		usageResetCutoffRule: { behavior: "ALWAYS_RESET" },
	});
	const copy = { targetId: "copy", displayName: "Copy", description: "A copy" };
	await send("POST", "/products/app/duplicate", copy);
	await send("POST", "/products/copy/archive");
	await send("POST", "/products/copy/unarchive");
	await send("GET", "/products?status=PUBLISHED,ARCHIVED");
	await customers(send);
	await subscriptions(send, here);
	await consumption(send, here);
	await changes(send, here);
	await credits(send);
	await connections(send, here);
	await legalEntities(send);
	await bank(send, here);
	await apiKeys(send);
	await webhooks(send, here);
	await privacy(send);
	await contracts(send);
	// The middle of a list has both cursors. They are what the answer of the first page says.
	await send("GET", "/audit-log?limit=100");
	await send("GET", "/audit-log?entityType=Customer&entityId=acme&operation=customers.archive&level=environment");
	await send("GET", "/features?limit=1");
	const next = exchanges.at(-1)?.answer.body.pagination.next;
	await send("GET", `/features?limit=1&after=${next}`);
	return { here, exchanges };
}

type Send = (method: string, target: string, body?: unknown) => Promise<Answer["body"]>;

export async function catalogue(send: Send): Promise<void> {
	const described = { displayName: "Shown", description: "Described", metadata };
	await send("POST", "/products", { id: "app", ...described, multipleSubscriptions: true });
	await send("POST", "/features", {
		id: "calls",
		...described,
		featureType: "NUMBER",
		meterType: "INCREMENTAL",
		featureStatus: "NEW",
		featureUnits: "call",
		featureUnitsPlural: "calls",
		unitTransformation: { divide: 2, round: "DOWN", featureUnits: "pair", featureUnitsPlural: "pairs" },
	});
	await send("POST", "/features", { id: "sso", displayName: "SSO", featureType: "BOOLEAN" });
	await send("POST", "/features", {
		id: "seats",
		displayName: "Seats",
		featureType: "NUMBER",
		meterType: "FLUCTUATING",
	});
	for (const id of ["width", "depth"])
		await send("POST", "/features", { id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" });
	const enumConfiguration = [{ value: "eu", displayName: "Europe" }];
	await send("POST", "/features", { id: "region", displayName: "Region", featureType: "ENUM", enumConfiguration });
	await send("PATCH", "/features/region", {
		enumConfiguration: [...enumConfiguration, { value: "us", displayName: "US" }],
	});
	await send("PATCH", "/features/calls", {
		...described,
		featureUnits: "call",
		featureUnitsPlural: "calls",
		meter: {
			aggregation: { function: "SUM", field: "size" },
			filters: [
				{
					conditions: [
						{ field: "eventName", operation: "EQUALS", value: "call" },
						{ field: "host", operation: "IN", values: ["a", "b"] },
					],
				},
			],
		},
		unitTransformation: { divide: 1, round: "UP", featureUnits: "call", featureUnitsPlural: "calls" },
	});
	await send("GET", "/features/calls");
	await send("POST", "/features", { id: "spare", displayName: "Spare", featureType: "BOOLEAN" });
	await send("POST", "/features/spare/archive");
	await send("POST", "/features/spare/unarchive");
	await send("GET", "/features?featureType=NUMBER,ENUM&meterType=None,INCREMENTAL&status=NEW,ACTIVE");
	await send("POST", "/credits/custom-currencies", {
		id: "gold",
		...described,
		symbol: "G",
		units: { singular: "coin", plural: "coins" },
	});
	const units = { singular: "coin", plural: "coins" };
	await send("PATCH", "/credits/custom-currencies/gold", { ...described, symbol: "Au", units });
	await send("POST", "/credits/custom-currencies", { id: "silver", ...described });
	await send("POST", "/credits/custom-currencies/silver/archive");
	await send("GET", "/credits/custom-currencies?status=ACTIVE,ARCHIVED");
	await send("POST", "/credits/custom-currencies/silver/unarchive");
	const terms = { name: "Ten", description: "Ten off", durationInMonths: 3, metadata };
	await send("POST", "/coupons", { id: "TEN", ...terms, percentOff: 10, amountsOff: null });
	await send("POST", "/taxes", { id: "VAT", displayName: "VAT", percentage: 19, country: "DE", code: "DE19" });
	await send("POST", "/coupons", {
		id: "FIVE",
		...terms,
		percentOff: null,
		amountsOff: [usd(5), { amount: 4, currency: "eur" }],
	});
	const none = { description: null, durationInMonths: null, metadata: null, amountsOff: null };
	await send("POST", "/coupons", { id: "OLD", name: "Old", ...none, percentOff: 1 });
	await send("PATCH", "/coupons/OLD", { name: "Older", description: "Old", metadata });
	await send("POST", "/coupons/OLD/archive");
	await send("GET", "/coupons/FIVE");
	await send("GET", "/coupons?status=ACTIVE,ARCHIVED");
}

export async function packages(send: Send): Promise<void> {
	const described = {
		displayName: "Shown",
		description: "Described",
		metadata,
		billingId: "provider-1",
		productId: "app",
	};
	await send("POST", "/plans", { id: "free", displayName: "Free", productId: "app" });
	await send("PATCH", "/plans/free", { charges: { pricingType: "FREE" } });
	await send("POST", "/plans/free/publish", published);
	for (const id of ["platform", "support"]) {
		await send("POST", "/products", { id, displayName: id, description: null, metadata: null });
		await send("POST", "/plans", { id, displayName: id, productId: id });
		await send("PATCH", `/plans/${id}`, { charges: { pricingType: "CUSTOM" } });
		await send("POST", `/plans/${id}/publish`, published);
	}
	for (const id of ["extra", "needed"])
		await send("POST", "/addons", { id, ...described, maxQuantity: 5, pricingType: "PAID", status: "DRAFT" });
	const flat = { pricingType: "PAID", pricingModels: [{ ...base, pricePeriods: base.pricePeriods.slice(0, 2) }] };
	await send("PATCH", "/addons/needed", { charges: flat });
	await send("POST", "/addons/needed/publish", published);
	const dependent = { displayName: "Extra", description: "More", metadata, maxQuantity: 3, billingId: "provider-2" };
	await send("PATCH", "/addons/extra", { ...dependent, dependencies: ["needed"], charges: flat });
	await send("PATCH", "/addons/extra", { dependencies: [] });
	await send("PATCH", "/addons/extra", { dependencies: null });
	const trial = {
		duration: 14,
		units: "DAY",
		budget: { limit: 10, hasSoftLimit: true },
		trialEndBehavior: "CONVERT_TO_PAID",
	};
	const draft = { ...described, defaultTrialConfig: trial, parentPlanId: "free", pricingType: "PAID", status: "DRAFT" };
	await send("POST", "/plans", { id: "pro", ...draft });
	for (const path of ["/addons/extra", "/plans/pro"]) {
		await send("POST", `${path}/entitlements`, { entitlements });
		const { id: _, type: __, ...terms } = entitlements[0] ?? {};
		await send("PATCH", `${path}/entitlements/calls`, { type: "FEATURE", ...terms });
		await send("PATCH", `${path}/entitlements/gold`, { type: "CREDIT", amount: 50, cadence: "MONTH", ...display });
		await send("DELETE", `${path}/entitlements/sso`);
		await send("GET", `${path}/entitlements`);
	}
	await send("POST", "/addons/extra/publish", published);
	await send("PATCH", "/plans/pro", {
		displayName: "Pro",
		description: "For many",
		metadata,
		billingId: "provider-3",
		compatibleAddonIds: ["extra", "needed"],
		defaultTrialConfig: trial,
		parentPlanId: "free",
		charges: {
			...charges,
			overageBillingPeriod: "MONTHLY",
			overagePricingModels: [
				{
					billingModel: "USAGE_BASED",
					billingCadence: "RECURRING",
					featureId: "calls",
					entitlement: { featureId: "calls", usageLimit: 1000, hasSoftLimit: true, resetPeriod: "MONTH" },
					pricePeriods: both({ price: usd(1) }, { price: usd(1) }),
				},
			],
		},
	});
	await send("POST", "/plans/pro/publish", published);
	await send("POST", "/plans", { id: "usage", displayName: "Usage", productId: "app" });
	await send("PATCH", "/plans/usage", { charges: usageCharges });
	await send("POST", "/plans/usage/publish", published);
	await send("GET", "/plans/usage/charges");
	for (const path of ["/addons/extra", "/plans/pro"]) {
		await send("POST", `${path}/draft`);
		const sale = path === "/plans/pro" ? {} : { planId: "pro", quantity: 2 };
		await send("POST", `${path}/preview`, { ...sale, billingPeriod: "MONTHLY", draft: {} });
		await send("DELETE", `${path}/draft`);
		await send("GET", path);
		await send("GET", `${path}/charges?limit=100`);
		await send("GET", `${path.split("/").slice(0, 2).join("/")}?productId=app&status=PUBLISHED,DRAFT`);
	}
	await send("GET", "/plans/pro/overage-charges");
	await send("GET", "/credits/custom-currencies/gold/associated-entities");
	await send("POST", "/addons", { id: "old", ...described, pricingType: "FREE" });
	await send("POST", "/addons/old/publish", published);
	await send("POST", "/addons/old/archive");
	await send("POST", "/plans", { id: "old", ...described, pricingType: "FREE" });
	await send("POST", "/plans/old/publish", published);
	await send("POST", "/plans/old/archive");
}

export async function customers(send: Send): Promise<void> {
	await send("POST", "/customers", { id: "parent" });
	await send("POST", "/customers", customer);
	const { id: _, defaultPaymentMethod: __, ...profile } = customer;
	await send("PATCH", "/customers/acme", profile);
	await send("POST", "/customers/parent/archive");
	await send("POST", "/customers/parent/unarchive");
	const weekly = { resetPeriod: "WEEK", weeklyResetPeriodConfiguration: { accordingTo: "EveryMonday" } };
	await send("POST", "/customers/parent/promotional-entitlements", {
		promotionalEntitlements: [
			item("calls", { usageLimit: 5, hasUnlimitedUsage: false, hasSoftLimit: true, isVisible: false, ...weekly }),
			item("region", { enumValues: ["eu"], period: "custom", customEndDate: later }),
			item("sso", { period: "lifetime" }),
		],
	});
	await send("GET", "/customers/parent/promotional-entitlements?status=Active,Paused&limit=2");
	await send("DELETE", "/customers/parent/promotional-entitlements/sso");
	await send("POST", "/customers/import", {
		customers: [
			{
				id: "moved",
				name: "Moved",
				email: "moved@acme.test",
				billingId: "cus_moved",
				metadata,
				paymentMethodId: "pm_3",
				salesforceId: "0015",
				updatedAt: "2026-01-01T00:00:00Z",
			},
		],
	});
	const card = {
		integrationId: "stripe-1",
		paymentMethodId: "pm_4",
		vendorIdentifier: "STRIPE",
		billingCurrency: "usd",
	};
	await send("POST", "/customers/moved/payment-method", card);
	await send("DELETE", "/customers/moved/payment-method");
	const link = { id: "erp", syncedEntityId: "e-1", vendorIdentifier: "ZUORA" };
	await send("POST", "/customers/acme/integrations", link);
	await send("PATCH", "/customers/acme/integrations/erp", { syncedEntityId: "e-2" });
	await send("GET", "/customers/acme/integrations/erp");
	const links = "/customers/acme/integrations?limit=1&vendorIdentifier=ZUORA,HUBSPOT";
	await send("GET", links);
	await send("DELETE", "/customers/acme/integrations/erp");
	await send("GET", "/customers/acme");
	await send("GET", "/customers?limit=100");
}

async function subscriptions(send: Send, { folder, clock, transactions, thread }: World): Promise<void> {
	await send("POST", "/subscriptions", subscription);
	await send("GET", "/subscriptions/sub-1");
	await send("GET", "/subscriptions?customerId=acme&status=ACTIVE&pricingType=PAID");
	const event = { eventName: "call", customerId: "acme", idempotencyKey: "e-1", resourceId: "site-1" };
	const dimensions = { size: 3, host: "a", cold: false };
	await send("POST", "/events", { events: [{ ...event, timestamp: "2026-01-31T00:00:00.000Z", dimensions }] });
	countEvents(folder);
	// Beyond the month's end, where the counting of calls restarts.
	clock.at = (clock.at + 3 * 24 * 60 * 60 * 1000) as typeof clock.at;
	const history = "startDate=2026-01-30T00:00:00Z&endDate=2026-02-02T00:00:00Z&groupBy=host&resourceId=site-1";
	await send("GET", `/usage/acme/history/calls?${history}`);
	const measured = { customerId: "acme", featureId: "width", resourceId: "site-1" };
	await send("POST", "/usage", {
		usages: [
			{
				...measured,
				value: 3,
				updateBehavior: "SET",
				idempotencyKey: "w-1",
				createdAt: "2026-02-02T00:00:00.000Z",
				dimensions,
			},
			{ ...measured, value: -1 },
		],
	});
	await send("GET", "/customers/acme/entitlements?resourceId=site-1");
	for (const asked of ["featureId=calls&requestedUsage=2", "currencyId=gold", "featureId=region&requestedValues=eu,us"])
		await send("GET", `/customers/acme/entitlements/check?resourceId=site-1&${asked}`);
	await send("GET", "/customers/acme/entitlements/check?featureId=nothing");
	await send("GET", "/customers/acme/entitlements/check?resourceId=site-1&currencyId=gold&requestedUsage=1000000");
	await send("POST", "/usage/estimate", { ...measured, value: 1, updateBehavior: "DELTA", dimensions });
	await send("POST", "/events/estimate", { customerId: "acme", eventName: "call", resourceId: "site-1", dimensions });
	await governance(send);
	for (const asked of ["featureId=calls&requestedUsage=2", "featureId=nothing", "currencyId=gold"])
		await send("GET", `-beta/customers/acme/entitlements/check?resourceId=site-1&${asked}`);
	await send("POST", "/customers/acme/entitlements/width/consume", { resourceId: "site-1" });
	await send("POST", "/customers/acme/entitlements/width/reservations", { resourceId: "site-1", expiresIn: 60 });
	await send("GET", "/customers/nobody/entitlements");
	await send("POST", "/usage-alerts", { featureId: "calls", type: "ABSOLUTE", threshold: 1 });
	await send("GET", "/customers/acme/resources");
	await send("GET", "/customers/acme/invoices?stateIn=OPEN,PAID&orderBy=total&orderDir=ASC");
	const [unpaid] = await send("GET", "/customers/parent/invoices");
	const payments = `/customers/parent/invoices/${unpaid.invoiceId}/payments`;
	const { paymentId } = await send("POST", payments, { amount: 0.25 });
	await send("POST", payments, { amount: 0.25 });
	await send("POST", `${payments}/${paymentId}/reverse`, { reason: "CHARGEBACK" });
	const money = { amount: 5, currency: "usd" };
	const { receiptId } = await send("POST", "/receipts", {
		...{ ...money, customerId: "parent" },
		allocations: [{ invoiceId: unpaid.invoiceId, amount: 0.1 }],
	});
	await send("POST", `/receipts/${receiptId}/disputes`, { amount: 0.25 });
	await send("POST", "/subscriptions", {
		id: "sub-de",
		customerId: "acme",
		planId: "pro",
		resourceId: "site-de",
		billingPeriod: "MONTHLY",
		billingCountryCode: "DE",
		appliedCoupon: { discount: { name: "Friends", percentOff: 5 } },
		billingInformation: { isInvoicePaid: true },
	});
	await send("POST", "/subscriptions", {
		id: "sub-usage",
		customerId: "acme",
		planId: "usage",
		resourceId: "site-usage",
	});
	await send("GET", "/subscriptions/sub-usage");
	// A plan whose draft no other test reads: the answer stays.
	await send("POST", "/plans/usage/simulate", { versionNumber: 1 });
	await send("POST", "/plans/usage/draft");
	await send("POST", "/plans/usage/publish", { migrationType: "ALL_CUSTOMERS" });
	await remind(send, `/customers/parent/invoices/${unpaid.invoiceId}/collection`);
	const [invoice] = await send("GET", "/customers/acme/invoices?limit=1");
	await send("POST", `/customers/acme/invoices/${invoice.invoiceId}/credit-note`, { reasonCode: "WAIVER" });
	await send("POST", "/subscriptions", { id: "sub-2", customerId: "acme", planId: "free" });
	const cancellation = { cancellationAction: "DEFAULT", cancellationTime: "IMMEDIATE", prorate: false };
	await send("POST", "/subscriptions/sub-2/cancel", cancellation);
	await send("GET", "/subscriptions/sub-2");
	await send("POST", "/subscriptions/import", {
		subscriptions: [
			{
				id: "sub-3",
				customerId: "acme",
				planId: "pro",
				resourceId: "site-2",
				startDate: "2026-01-01T00:00:00.000Z",
				endDate: later,
				metadata,
				billingId: "billing-3",
				billingPeriod: "ANNUALLY",
				addons: [{ id: "extra", quantity: 1 }],
				charges: [{ id: "seats", quantity: 2, type: "FEATURE" }],
			},
		],
		integrationId: null,
	});
	await drainTasks(transactions, ["IMPORT_SUBSCRIPTIONS"], (task) => runImport(thread, task), openLog("silent"));
	await send("GET", "/subscriptions/sub-3");
}

/** Credits that are consumed directly, of a wallet that has some which end. */
async function consumption(send: Send, { transactions, actor }: World): Promise<void> {
	transactions.write(actor, (work) =>
		issueGrant(work, {
			customerId: getCustomer(work, "acme").id,
			currencyId: getCurrency(work, "gold").id,
			resourceRef: "site-1",
			displayName: "Each month",
			grantType: "RECURRING",
			sourceType: "PLAN_ENTITLEMENT",
			amount: toDecimal(100),
			effectiveAt: work.now,
			expireAt: Date.parse(later) as Instant,
		}),
	);
	const consumed = {
		customerId: "acme",
		currencyId: "gold",
		resourceId: "site-1",
		amount: 2.5,
		dimensions: { region: "eu" },
	};
	const createdAt = "2026-02-02T00:00:00.000Z";
	transactions.write(actor, (work) =>
		consumeFromWallets(work, [
			{
				wallet: {
					customerId: getCustomer(work, "acme").id,
					currencyId: getCurrency(work, "gold").id,
					resourceRef: "site-1",
				},
				amount: toDecimal(1),
				at: work.now,
				featureId: getFeature(work, "width").id,
				eventId: "event-1",
				dimensions: null,
			},
		]),
	);
	await send("POST", "/credits/consumption", { ...consumed, idempotencyKey: "c-1", createdAt });
	await send("GET", "/credits/ledger?customerId=acme&eventType=CREDITS_CONSUMED,CREDITS_GRANTED&resourceId=site-1");
	await send("GET", "/credits/usage?customerId=acme");
	await send("GET", "/credits/usage?customerId=acme&timeRange=LAST_YEAR&groupBy=region&limit=100");
	await send("GET", "/credits/balances?customerId=acme");
	await send("POST", "/credits/consumption/async", {
		consumptions: [{ ...consumed, idempotencyKey: "c-2", createdAt }],
	});
}

function countEvents(folder: string): void {
	const aggregator = new Aggregator({ folder });
	while (aggregator.step());
	aggregator.close();
}

/** The changes that a running subscription accepts. */
async function changes(send: Send, { folder, clock }: World): Promise<void> {
	const { id: _, metadata: __, entitlements: ___, budget: ____, minimumSpend: _____, ...priced } = subscription;
	const { paymentCollectionMethod: ______, priceOverrides: _______, billingId: ________, ...asked } = priced;
	for (const couponId of ["FIVE", "TEN"])
		await send("POST", "/subscriptions/preview", {
			...asked,
			resourceId: "site-new",
			appliedCoupon: { couponId },
			billingInformation: { taxPercentage: 19, prorationBehavior: "INVOICE_IMMEDIATELY" },
			scheduleStrategy: "IMMEDIATE",
		});
	await send("POST", "/subscriptions", {
		id: "sub-trial",
		customerId: "acme",
		planId: "pro",
		resourceId: "site-trial",
		billingPeriod: "ANNUALLY",
		trialOverrideConfiguration: { isTrial: true, trialEndDate: later, trialEndBehavior: "CANCEL_SUBSCRIPTION" },
	});
	await send("PATCH", "/subscriptions/sub-trial", { trialEndDate: "2026-03-01T00:00:00Z", budget: null });
	const seats = (quantity: number) => ({ charges: [{ id: "seats", quantity, type: "FEATURE" }] });
	await send("PATCH", "/subscriptions/sub-1", { ...seats(9), awaitPaymentConfirmation: true });
	await send("POST", "/subscriptions/sub-1/invoice/paid");
	await send("PATCH", "/subscriptions/sub-1", { ...seats(10), awaitPaymentConfirmation: true });
	await send("DELETE", "/subscriptions/sub-1/future-update/pending-payment");
	await send("POST", "/subscriptions/sub-usage/migrate", { subscriptionMigrationTime: "END_OF_BILLING_PERIOD" });
	await send("DELETE", "/subscriptions/sub-usage/future-update/schedule");
	await send("POST", "/subscriptions/sub-de/transfer", { destinationResourceId: "site-at" });
	await send("POST", "/subscriptions/sub-de/delegate", { targetCustomerId: "moved" });
	const event = { eventName: "call", customerId: "acme", idempotencyKey: "e-2", resourceId: "site-usage" };
	clock.at = (clock.at + 60 * 60 * 1000) as typeof clock.at;
	await send("POST", "/events", { events: [{ ...event, dimensions: { size: 7, host: "b" } }] });
	countEvents(folder);
	clock.at = (clock.at + 60 * 60 * 1000) as typeof clock.at;
	await send("POST", "/subscriptions/sub-usage/usage/charge", { untilDate: new Date(clock.at).toISOString() });
	await send("POST", "/subscriptions/sub-usage/usage/sync");
}

async function credits(send: Send): Promise<void> {
	const grant = { customerId: "acme", currencyId: "gold", displayName: "Pack", amount: 100 };
	const terms = { comment: "By phone", priority: 5, expireAt: later, metadata };
	const paid = { ...grant, ...terms, grantType: "PAID", cost: usd(20), awaitPaymentConfirmation: true };
	const billingInformation = { billingAddress: { city: "Bern" }, invoiceDaysUntilDue: 14, isInvoicePaid: false };
	const method = { paymentCollectionMethod: "INVOICE" };
	const { id } = await send("POST", "/credits/grants", { ...paid, ...method, billingInformation });
	await send("PATCH", `/credits/grants/${id}`, { displayName: "Packs", priority: 6 });
	await send("POST", "/credits/grants", {
		...grant,
		grantType: "PROMOTIONAL",
		effectiveAt: later,
		resourceId: "site-1",
	});
	for (const query of ["&limit=1", "&resourceId=site-1&currencyId=gold"])
		await send("GET", `/credits/grants?customerId=acme${query}`);
	await send("POST", `/credits/grants/${id}/void`);
	const wallet = { customerId: "acme", currencyId: "gold" };
	// Without a price of its own, which would be our addition to the contract's answer.
	await send("PUT", "/credits/auto-recharge", {
		...wallet,
		isEnabled: false,
		thresholdType: "CREDIT_AMOUNT",
		thresholdValue: 1,
		targetBalance: 10,
		maxSpendLimit: 1000,
		grantExpirationPeriod: "1_MONTH",
	});
	for (const currency of ["gold", "silver"])
		await send("GET", `/credits/auto-recharge?customerId=acme&currencyId=${currency}`);
	await send("POST", "/credits/grants", { ...paid, ...method });
}

async function apiKeys(send: Send): Promise<void> {
	const scopes = [{ resource: "API_KEY", action: "READ" }];
	const later = { expireAt: "2027-01-31T00:00:00Z", allowedAddresses: ["0.0.0.0/0", "::/0"] };
	for (const displayName of ["Kept", "Rotated", "Ended", "Gone"])
		await send("POST", "/api-keys", { displayName, description: "Made by the scenario", scopes, ...later });
	const keys = await send(
		"GET",
		"/api-keys?status=ACTIVE,EXPIRING&keyType=SERVER,SCOPED,CLIENT&displayName=e&limit=100",
	);
	const idOf = (name: string) => keys.find(({ displayName }: { displayName: string }) => displayName === name).id;
	await send("PATCH", `/api-keys/${idOf("Kept")}`, { displayName: "Kept", description: null, expireAt: null, scopes });
	await send("PATCH", `/api-keys/${idOf("Publishable")}`, { allowedOrigins: ["https://app.example.com"] });
	await send("POST", `/api-keys/${idOf("Gone")}/rotate`, { keepUntil: "2026-06-30T00:00:00Z" });
	await send("DELETE", `/api-keys/${idOf("Gone")}`);
	await send("GET", `/api-keys/${idOf("Gone")}`);
	await send("GET", "/api-keys?limit=100");
}

async function legalEntities(send: Send): Promise<void> {
	await send("POST", "/legal-entities", {
		name: "Acme France SAS",
		address: { line1: "5 rue de la Paix", postalCode: "75002", city: "Paris", country: "FR" },
		taxIds: [{ type: "eu_vat", value: "FR40303265045" }],
		registration: "RCS Paris 123 456 789",
		email: "facturation@acme.example",
		bankAccount: { iban: "FR14 2004 1010 0505 0001 3M02 606", bic: "PSSTFRPPPAR", bankName: "La Banque" },
		paymentText: "Par virement.",
		footer: "SAS au capital de 10 000 euros",
		language: "fr",
		netTerms: 30,
		invoiceGracePeriodDays: 3,
		taxCurrency: "eur",
		exchangeRates: [{ currency: "usd", rate: 0.92, source: "ECB", date: "2026-01-01" }],
		logo: { contentBase64: pixel },
		numberFormat: { invoicePrefix: "FR-", creditNotePrefix: "FR-AV-", year: true, padding: 4 },
	});
}

/** A transfer that no invoice fits. */
async function bank(send: Send, { transactions, thread, actor }: World): Promise<void> {
	const feeTolerance = [{ currency: "eur", amount: 2 }];
	await send("PUT", "/bank-accounts/FR1420041010050500013M02606", { feeTolerance, csvMapping: null });
	const lines = [":20:P1", ":25:FR1420041010050500013M02606", ":28C:7/1", ":60F:C260101EUR0,00"];
	const entry = [
		":61:2601020102C49,00NTRFNONREF//B1",
		":86:/CNTP/NL91ABNA0417164300/INGBNL2A/Somebody//REMI/USTD//hello/",
	];
	await send("POST", "/bank-imports", [...lines, ...entry, ":62F:C260102EUR49,00", "-"].join("\r\n"));
	await drainTasks(transactions, ["IMPORT_BANK_STATEMENTS"], (task) => runBankImport(thread, task), openLog("silent"));
	await send("GET", "/bank-imports");
	await send("GET", "/bank-statements");
	await send("GET", "/bank-entries");
	const issuers = transactions.read(actor, listLegalEntities);
	const french = issuers.find(({ entity: { name } }) => name === "Acme France SAS");
	await someDebits(transactions, actor, "parent", french?.entity.id);
	for (const path of ["/direct-debit-creditors", "/mandates", "/direct-debits", "/direct-debits?state=IN_FILE"])
		await send("GET", path);
	await send("GET", "/direct-debit-files");
}

/** A PNG of one point. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function contracts(send: Send): Promise<void> {
	await send("POST", "/subscriptions", { id: "sub-custom", customerId: "acme", planId: "platform" });
	await send("POST", "/contracts", {
		contractId: "C-1",
		customerId: "acme",
		subscriptions: [
			{ existingSubscriptionId: "sub-custom" },
			{ newSubscription: { id: "sub-custom-2", customerId: "acme", planId: "support" } },
		],
		activationStartDate: "2026-01-01T00:00:00.000Z",
		activationEndDate: "2027-01-01T00:00:00.000Z",
		name: "Framework",
		poNumber: "PO-7",
		setupBilling: true,
	});
	await send("GET", "/contracts?customerExternalId=acme&name=Framework&state=ACTIVE,DRAFT");
	await send("GET", "/customers/acme/contracts");
	await send("GET", "/contracts/C-1");
	await send("POST", "/contracts/C-1/billing/items", {
		items: [
			{ name: "Fee", externalId: "fee", rows: [{ price: 100 }], billingCycleUnit: "monthly", netTerms: 30, tax: 20 },
			{
				name: "Seats",
				externalId: "seats",
				netTerms: 30,
				pricingModelId: "tiered",
				rows: [
					{ to: 5, price: 2 },
					{ from: 5, price: 1 },
				],
			},
		],
	});
	await send("PATCH", "/contracts/C-1", {
		name: "Framework",
		poNumber: "PO-7",
		setupBilling: true,
		subscriptionIds: ["sub-custom", "sub-custom-2"],
		activationStartDate: "2026-01-01T00:00:00.000Z",
		activationEndDate: "2027-01-01T00:00:00.000Z",
	});
	await send("GET", "/subscriptions/sub-custom");
	await send("POST", "/subscriptions", { id: "sub-custom-3", customerId: "parent", planId: "platform" });
	await send("POST", "/contracts", {
		contractId: "C-2",
		customerId: "parent",
		subscriptions: [{ existingSubscriptionId: "sub-custom-3" }],
	});
	await send("POST", "/contracts/C-2/billing/items", {
		items: [{ name: "Fee", rows: [{ price: 100 }], billingCycleUnit: "monthly", netTerms: 30 }],
		activationStartDate: "2026-01-01T00:00:00.000Z",
		activationEndDate: "2027-01-01T00:00:00.000Z",
	});
	await send("POST", "/contracts/C-2/billing/publish");
	await send("GET", "/contracts?customerExternalId=parent");
	await send("GET", "/customers/parent/invoices?contractExternalId=C-2");
	await send("GET", "/customers/parent/contracts");
	await send("POST", "/contracts/C-2/archive");
	await send("POST", "/customers", { id: "partner" });
	await send("POST", "/checkout-sessions", {
		...{ customerId: "acme", planId: "pro", billingPeriod: "MONTHLY" },
		...{ successUrl: "https://app.example/yes", cancelUrl: "https://app.example/no" },
	});
	await send("POST", "/subscriptions", { id: "sub-custom-4", customerId: "partner", planId: "support" });
	await send("POST", "/contracts", {
		contractId: "C-3",
		customerId: "partner",
		subscriptions: [{ existingSubscriptionId: "sub-custom-4" }],
	});
}

/** Its task waits: what is erased is gone from the audit log, too, by which others tell what there is. */
async function privacy(send: Send): Promise<void> {
	await send("POST", "/customers", { id: "leaver", name: "Leaver", email: "leaver@example.org", metadata });
	await send("POST", "/customers/leaver/erase");
	await send("GET", "/customers/leaver/erasures");
}

/** A delivery that the scenario makes: no thread sends anything here. */
export const deliveryId = "01900000-0000-7000-8000-0000000000d1";

/** An endpoint at which nobody listens, and a delivery to it. */
async function webhooks(send: Send, here: World): Promise<void> {
	const webhook = await send("POST", "/webhooks", {
		...{ endpoint: "http://127.0.0.1:9/hook", description: "Nobody", eventLogTypes: ["customer.created"] },
		...{ configuration: { "entitlement.usage_exceeded": { thresholds: [80, 100] } }, sendsSecret: true },
	});
	const file = openFile(here.folder, "deliveries");
	const deliveries = openTransactions({ db: file, clock: here.clock, newId: newUuidV7, wake: () => {} });
	const { environmentId } = here;
	const attempt = { at: here.clock.at, durationMs: 3, status: 503, body: "down", error: null };
	deliveries.write(here.actor, (work) =>
		insertDeliveries(work, [
			{
				...{ id: deliveryId, environmentId, webhookId: webhook.id, position: 1, messageId: deliveryId },
				...{ type: "customer.created", status: "FAILED", attempts: [attempt], nextAttemptAt: null },
				createdAt: here.clock.at,
			},
		]),
	);
	file.$client.close();
	await send("GET", `/webhooks/${webhook.id}`);
	await send("GET", `/webhooks/${webhook.id}/deliveries`);
	await send("GET", `/webhook-deliveries/${deliveryId}`);
	await send("POST", `/webhooks/${webhook.id}/rotate-secret`);
	await send("POST", `/webhooks/${webhook.id}/test`);
}

/** A policy that starts no case by itself, and every change of one case, which reminds in the end. */
async function remind(send: (method: string, path: string, body?: unknown) => Promise<unknown>, path: string) {
	const text = { kind: "DUE", language: "de", subject: "Fällig: {invoices}", text: "{invoices}" };
	const end = { action: "LEAVE_OPEN", afterDays: 42 };
	await send("POST", "/dunning-policies", {
		...{ id: "standard", displayName: "Standard", reminders: [-3, 0, 7], end, texts: [text] },
		appliesTo: { isDefault: false, legalEntityIds: [], planIds: ["pro"] },
	});
	await send("PATCH", "/dunning-policies/standard", { displayName: "Reminders", appliesTo: { planIds: [] } });
	await send("GET", "/dunning-policies?status=ACTIVE");
	await send("PUT", "/customers/parent/dunning", { isExempt: true });
	await send("PUT", "/customers/parent/dunning", { policyId: "standard" });
	await send("PUT", "/customers/parent/dunning", { policyId: null });
	await send("POST", `${path}/start`, { policyId: "standard" });
	await send("POST", `${path}/suspend`, { reason: "PROMISE", untilDay: "2026-02-20", note: "by phone" });
	await send("POST", `${path}/resume`);
	await send("POST", `${path}/stop`, { note: null });
	await send("POST", `${path}/start`, { policyId: "standard" });
	await send("GET", path);
	await send("GET", "/customers/parent/collection");
	await send("GET", "/customers/parent/dunning");
	await send("GET", "/customers/parent/reminders");
	await send("GET", "/dunning-cases?state=REMINDING&customerId=parent");
}
