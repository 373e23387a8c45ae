import { beforeAll, describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { EnvironmentCreate, EnvironmentUpdate } from "../../../../src/areas/access/environments/schema";
import { AddonCreate, AddonUpdate } from "../../../../src/areas/addons/schema";
import { EnvironmentMerge } from "../../../../src/areas/catalog/schema.merge";
import { AttemptCreate, AttemptResolution } from "../../../../src/areas/collection/attempts/schema";
import { ConnectionCreate, ConnectionUpdate } from "../../../../src/areas/collection/connections/schema";
import { MethodAttach } from "../../../../src/areas/collection/methods/schema";
import { MethodSetup } from "../../../../src/areas/collection/pages/schema";
import { RefundCreate } from "../../../../src/areas/collection/refunds/schema";
import { EditActive } from "../../../../src/areas/contracts/billing/schema";
import {
	BillingSettings,
	BillingTerms,
	ContractUpdate,
	ItemsAdd,
	ItemUpdate,
} from "../../../../src/areas/contracts/schema";
import { CouponCreate, CouponUpdate } from "../../../../src/areas/coupons/schema";
import { CurrencyCreate, CurrencyUpdate } from "../../../../src/areas/currencies/schema";
import { CustomerInvoicingUpdate } from "../../../../src/areas/customers/schema.invoicing";
import { FeatureCreate, FeatureUpdate } from "../../../../src/areas/features/schema";
import { BudgetFile } from "../../../../src/areas/governance/files/schema";
import { BudgetApproval, NewBudgetRequest } from "../../../../src/areas/governance/requests/schema";
import { AssignmentsBody, EntityIds } from "../../../../src/areas/governance/schema";
import { BalanceAdjustment } from "../../../../src/areas/invoices/balance/schema";
import { InvoiceCredit } from "../../../../src/areas/invoices/credit-notes/schema";
import { PaymentReport, ReversalReport } from "../../../../src/areas/invoices/payments/schema";
import { LegalEntityCreate, LegalEntityUpdate } from "../../../../src/areas/legal-entities/schema";
import { PackageCharges } from "../../../../src/areas/packages/charges/schema";
import {
	PackageEntitlementsCreate,
	PackageEntitlementUpdate,
} from "../../../../src/areas/packages/entitlements/schema";
import { PackagePublish } from "../../../../src/areas/packages/schema";
import { PlanCreate, PlanUpdate } from "../../../../src/areas/plans/schema";
import { ProductCreate, ProductDuplicate, ProductUpdate } from "../../../../src/areas/products/schema";
import { PromotionalGrants } from "../../../../src/areas/promotional-entitlements/schema";
import { PlanSimulate } from "../../../../src/areas/simulations/schema";
import {
	SubscriptionDelegate,
	SubscriptionMigrate,
	SubscriptionTransfer,
	UsageCharge,
} from "../../../../src/areas/subscriptions/schema";
import { TaxCreate, TaxUpdate } from "../../../../src/areas/taxes/schema";
import { WebhookCreate, WebhookUpdate } from "../../../../src/areas/webhooks/schema";
import { type World, world } from "../../../support/world";
import { codes } from "../../ask";
import { steps } from "../../catalogue";
import type { Step } from "../../catalogue.terms";
import { type InputField, inputOf, mutate, mutationInputs, nameOf, shownTypes } from "../../mutate";
import { bankBodies, dunningBodies, receiptBodies } from "./bodies";

/**
 * Inputs that the known clients have built otherwise than REST's bodies: see customers.test.ts,
 * subscriptions.guards.test.ts, areas/credits/grants/routes/list.test.ts and areas/credits/graphql.test.ts, which hold them against
 * the bodies too.
 */
const assembled = new Set([
	// Its `csvMapping` is JSON: areas/bank/graphql.test.ts.
	"setBankAccount",
	// Its dates are read by the scalar.
	"replayWebhook",
	...["provisionCustomer", "createOneCustomer", "updateOneCustomer", "updateCustomer"],
	...["importOneCustomer", "importCustomer", "importCustomersBulk"],
	...["archiveCustomer", "unarchiveCustomer", "detachCustomerPaymentMethod"],
	...["provisionSubscription", "provisionSubscriptionV2", "applySubscription", "createSubscription"],
	...["importSubscriptionsBulk", "updateOneSubscription", "updateSubscription", "cancelSubscription"],
	"cancelSchedule",
	...["estimateSubscription", "estimateSubscriptionUpdate", "previewSubscription"],
	// access.test.ts.
	...["createApiKey", "updateApiKey", "rotateApiKey"],
	// With their areas.
	...["createOneFeatureGroup", "updateOneFeatureGroup", "archiveFeatureGroup", "unarchiveFeatureGroup"],
	...["grantPromotionalEntitlementsGroup", "revokePromotionalEntitlementsGroup"],
	"unlinkPromotionalEntitlementsGroup",
	...["addInvoiceLine", "removeInvoiceLine", "finalizeInvoice"],
	...["createCreditGrant", "updateCreditGrant"],
	...["createOneContract", "addContractSubscriptions"],
	...["consumeCredits", "consumeCreditsAsync", "saveAutoRechargeSettings"],
	// usage.test.ts and invoices.test.ts.
	...["createUsageMeasurement", "reportUsage", "reportUsageBulk", "reportEvent", "reportEntitlementCheckRequested"],
	"previewNextInvoice",
	// areas/governance: some of their texts may be empty.
	...["putGovernanceEntityTypes", "putGovernanceEntities"],
	// subscriptions/lifecycle/end-trial.test.ts.
	...["endSubscriptionTrial", "previewEndSubscriptionTrial"],
	// subscriptions/lifecycle/pause.test.ts.
	...["pauseSubscription", "resumeSubscription", "previewPauseSubscription", "previewResumeSubscription"],
	// areas/portal.
	...["createCustomerPortalSession", "initiateCheckout", "createPaymentSession"],
]);

const inputOfStep = ({ rest: [, , body = {}], path = {}, under }: Step): object => ({
	...path,
	...inputOf(under === undefined ? body : (body as Record<string, object>)[under]),
});

/** Without the ids of rows, which are each world's own. */
const comparable = (body: unknown): unknown =>
	JSON.parse(JSON.stringify(body).replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, "(row)"));

describe("GraphQL and REST create the same", () => {
	const byRest = world();
	const byGraphql = world();
	steps.forEach((step, at) => {
		const [method, path, body] = step.rest;
		test(`${at}: ${step.mutation}, as ${method} ${path}`, async () => {
			const answer = await byRest.call(method, path, body && { body });
			expect({ status: answer.status < 300, body: answer.body }).toMatchObject({ status: true });
			expect(await mutate(byGraphql, step.mutation, inputOfStep(step))).toEqual({
				data: { [step.mutation]: expect.anything() },
			});
			for (const read of step.reads) {
				const [one, other] = [await byRest.call("GET", read), await byGraphql.call("GET", read)];
				expect([read, one.status, comparable(other.body)]).toEqual([read, 200, comparable(one.body)]);
			}
		});
	});

	/** Mutations outside the catalogue are tested with their areas. */
	const elsewhere = new Set([
		"grantPromotionalEntitlements",
		"revokePromotionalEntitlement",
		"simulatePlan",
		...["migrateSubscriptionToLatest", "transferSubscription", "transferSubscriptionToResource"],
		...["delegateSubscriptionToCustomer", "markInvoiceAsPaid"],
		...["chargeSubscriptionUsage", "triggerSubscriptionUsageSync"],
		"voidCreditGrant",
		// customers/invoicing.api.test.ts.
		"updateCustomerInvoicing",
		// access.test.ts.
		"revokeApiKey",
		...["createOneEnvironment", "updateOneEnvironment", "archiveEnvironment", "mergeEnvironment"],
		...["updateOneContract", "archiveContract", "removeContractSubscription", "publishContract"],
		...["addContractItems", "updateContractItem", "deleteContractItem", "deleteContractItemRow"],
		...["updateContractTerms", "updateContractSettings", "reopenContractBilling", "cancelContractBilling"],
		...["amendContract", "discardContractAmendment", "previewContractPublication", "refreshContractUsage"],
		// areas/taxes/routes.test.ts.
		...["createOneTax", "updateOneTax", "archiveTax"],
		// legal-entities.test.ts, invoices.money.test.ts.
		...["createLegalEntity", "updateLegalEntity", "archiveLegalEntity"],
		...["recordInvoicePayment", "reverseInvoicePayment", "adjustCustomerBalance", "creditInvoice", "voidCreditNote"],
		// areas/invoices/receipts/graphql.test.ts.
		// dunning/graphql.test.ts.
		...Object.keys(dunningBodies),
		// areas/bank.
		...Object.keys(bankBodies),
		...["recordReceipt", "allocateReceipt", "reverseReceiptAllocation", "refundReceipt", "returnReceipt"],
		// areas/invoices/disputes/graphql.test.ts.
		...["recordDispute", "changeDisputeState", "sendDisputeEvidence", "acceptDispute"],
		// areas/collection.
		...["createProviderConnection", "updateProviderConnection", "archiveProviderConnection"],
		...["savePaymentMethod", "setupPaymentMethod", "setDefaultPaymentMethod", "removePaymentMethod"],
		...["chargeInvoice", "cancelPaymentAttempt", "resolvePaymentAttempt", "refundAtProvider"],
		// webhooks.test.ts.
		...["createWebhook", "updateWebhook", "deleteWebhook", "rotateWebhookSecret", "testWebhook"],
		"replayWebhookDelivery",
		// areas/governance/graphql.test.ts, areas/governance/requests/graphql.test.ts, areas/governance/files/graphql.test.ts.
		...["planGovernanceBudgetFile", "applyGovernanceBudgetFile"],
		...["create", "approve", "decline"].map((verb) => `${verb}GovernanceBudgetRequest`),
		...["putGovernanceAssignments", "archiveGovernanceEntities", "unarchiveGovernanceEntities"],
		...assembled,
	]);

	test("for every mutation there is", async () => {
		const shown = await mutationInputs(byGraphql);
		const tested = new Set([...steps.map(({ mutation }) => mutation), ...elsewhere]);
		expect([...shown.keys()].filter((name) => !tested.has(name))).toEqual([]);
	});
});

describe("permissions", () => {
	let ours: World;
	beforeAll(() => {
		ours = world();
	});
	const unlike = (mutation: string) => (mutation.includes("Coupon") ? "CATALOG:WRITE" : "COUPON:WRITE");
	const each = steps.filter(({ mutation }, at) => steps.findIndex((step) => step.mutation === mutation) === at);
	for (const step of each)
		test(step.mutation, async () => {
			const input = inputOfStep(step);
			for (const key of [ours.scopedKey("CATALOG:READ", "COUPON:READ"), ours.scopedKey(unlike(step.mutation))]) {
				const { data, errors } = await mutate(ours, step.mutation, input, { key });
				expect([data, codes({ errors })]).toEqual([{ [step.mutation]: null }, ["AccessDeniedError"]]);
				const rest = await ours.call(step.rest[0], step.rest[1], { key, body: step.rest[2] ?? {} });
				expect(rest.body).toEqual({ code: "AccessDeniedError", message: errors[0].message });
			}
		});

	test("a publishable key may not even ask", async () => {
		const query = 'mutation { createOneProduct(input: { refId: "p", displayName: "P" }) { refId } }';
		const { status, body } = await ours.call("POST", "/graphql", { key: ours.publishableKey, body: { query } });
		expect([status, body.code]).toEqual([403, "IdentityForbidden"]);
	});

	test("nothing of it was done", async () => {
		for (const path of ["/products", "/features", "/plans", "/addons", "/coupons", "/credits/custom-currencies"])
			expect((await ours.call("GET", path)).body.data).toEqual([]);
	});
});

/** The REST route's path and body, by the mutation that does the same, and the input's fields that the route has in its path. */
const bodies: Readonly<Record<string, readonly [body: TSchema | undefined, ...path: string[]]>> = {
	revokeApiKey: [undefined, "id"],
	createOneEnvironment: [EnvironmentCreate],
	updateOneEnvironment: [EnvironmentUpdate],
	mergeEnvironment: [EnvironmentMerge],
	createOneProduct: [ProductCreate],
	updateOneProduct: [ProductUpdate, "refId"],
	duplicateProduct: [ProductDuplicate, "refId"],
	createOneFeature: [FeatureCreate],
	updateOneFeature: [FeatureUpdate, "refId"],
	createCustomCurrency: [CurrencyCreate],
	updateCustomCurrency: [CurrencyUpdate, "refId"],
	createOnePlan: [PlanCreate],
	updateOnePlan: [PlanUpdate, "refId"],
	setPlanPricing: [PackageCharges, "refId"],
	simulatePlan: [PlanSimulate, "refId"],
	createOneAddon: [AddonCreate],
	updateOneAddon: [AddonUpdate, "refId"],
	setAddonPricing: [PackageCharges, "refId"],
	publishPlan: [PackagePublish, "refId"],
	publishAddon: [PackagePublish, "refId"],
	createPackageEntitlements: [PackageEntitlementsCreate, "packageType", "packageId"],
	updatePackageEntitlement: [PackageEntitlementUpdate, "packageType", "packageId", "refId"],
	deletePackageEntitlement: [undefined, "packageType", "packageId", "refId"],
	createOneCoupon: [CouponCreate],
	updateOneCoupon: [CouponUpdate, "refId"],
	grantPromotionalEntitlements: [PromotionalGrants, "customerId", "environmentId"],
	migrateSubscriptionToLatest: [SubscriptionMigrate, "subscriptionId", "environmentId"],
	transferSubscription: [SubscriptionTransfer, "subscriptionId", "environmentId"],
	delegateSubscriptionToCustomer: [SubscriptionDelegate, "subscriptionId", "environmentId"],
	transferSubscriptionToResource: [SubscriptionTransfer, "subscriptionId", "environmentId"],
	markInvoiceAsPaid: [undefined, "subscriptionId", "environmentId"],
	chargeSubscriptionUsage: [UsageCharge, "subscriptionId", "environmentId"],
	triggerSubscriptionUsageSync: [undefined, "subscriptionId", "environmentId"],
	revokePromotionalEntitlement: [undefined, "customerId", "featureId", "environmentId"],
	voidCreditGrant: [undefined, "id", "environmentId"],
	updateOneContract: [ContractUpdate, "contractId"],
	archiveContract: [undefined, "contractId"],
	removeContractSubscription: [undefined, "contractId", "subscriptionId"],
	publishContract: [undefined, "contractId"],
	reopenContractBilling: [undefined, "contractId"],
	cancelContractBilling: [undefined, "contractId"],
	amendContract: [EditActive, "contractId"],
	discardContractAmendment: [undefined, "contractId"],
	previewContractPublication: [undefined, "contractId"],
	refreshContractUsage: [undefined, "contractId"],
	createOneTax: [TaxCreate],
	updateOneTax: [TaxUpdate, "refId"],
	createLegalEntity: [LegalEntityCreate],
	updateLegalEntity: [LegalEntityUpdate, "id"],
	archiveLegalEntity: [undefined, "id"],
	updateCustomerInvoicing: [CustomerInvoicingUpdate, "customerId"],
	recordInvoicePayment: [PaymentReport, "customerId", "invoiceId"],
	...dunningBodies,
	...receiptBodies,
	...bankBodies,
	reverseInvoicePayment: [ReversalReport, "customerId", "invoiceId", "paymentId"],
	adjustCustomerBalance: [BalanceAdjustment, "customerId"],
	creditInvoice: [InvoiceCredit, "customerId", "invoiceId"],
	voidCreditNote: [undefined, "customerId", "creditNoteId"],
	createProviderConnection: [ConnectionCreate],
	updateProviderConnection: [ConnectionUpdate, "id"],
	archiveProviderConnection: [undefined, "id"],
	savePaymentMethod: [MethodAttach, "customerId"],
	setupPaymentMethod: [MethodSetup, "customerId"],
	setDefaultPaymentMethod: [undefined, "customerId", "savedPaymentMethodId"],
	removePaymentMethod: [undefined, "customerId", "savedPaymentMethodId"],
	chargeInvoice: [AttemptCreate],
	refundAtProvider: [RefundCreate],
	cancelPaymentAttempt: [undefined, "id"],
	resolvePaymentAttempt: [AttemptResolution, "id"],
	createWebhook: [WebhookCreate],
	updateWebhook: [WebhookUpdate, "id"],
	deleteWebhook: [undefined, "id"],
	rotateWebhookSecret: [undefined, "id"],
	testWebhook: [undefined, "id"],
	replayWebhookDelivery: [undefined, "id"],
	addContractItems: [ItemsAdd, "contractId"],
	updateContractItem: [ItemUpdate, "contractId", "itemRef"],
	deleteContractItem: [undefined, "contractId", "itemRef"],
	deleteContractItemRow: [undefined, "contractId", "itemRef", "rowIndex"],
	updateContractTerms: [BillingTerms, "contractId"],
	updateContractSettings: [BillingSettings, "contractId"],
	createGovernanceBudgetRequest: [NewBudgetRequest, "customerId"],
	approveGovernanceBudgetRequest: [BudgetApproval, "id"],
	declineGovernanceBudgetRequest: [undefined, "id"],
	putGovernanceAssignments: [AssignmentsBody, "customerId"],
	planGovernanceBudgetFile: [BudgetFile, "customerId"],
	applyGovernanceBudgetFile: [BudgetFile, "customerId"],
	archiveGovernanceEntities: [EntityIds, "customerId"],
	unarchiveGovernanceEntities: [EntityIds, "customerId"],
};

/** GraphQL's names cannot begin with a digit. */
const renamedValues: Readonly<Record<string, string>> = {
	"1 week": "ONE_WEEK",
	"1 month": "ONE_MONTH",
	"6 month": "SIX_MONTH",
	"1 year": "ONE_YEAR",
};

describe("inputs have the fields that the bodies of REST have", () => {
	const ours = world();
	const names: Readonly<Record<string, string>> = { id: "refId", metadata: "additionalMetaData" };

	/** One line for each field: its path, its kind, whether it must be sent. */
	function linesOfSchema(schema: TSchema, at = ""): string[] {
		const members: TSchema[] = schema.anyOf ?? [schema];
		const objects = members.filter(({ type, properties }) => type === "object" && properties);
		const properties = new Map<string, TSchema[]>();
		for (const { properties: own } of objects)
			for (const [name, value] of Object.entries(own as Record<string, TSchema>))
				properties.set(name, [...(properties.get(name) ?? []), value]);
		return [...properties].flatMap(([name, alternatives]) => {
			const [value] = alternatives;
			if (!value) return [];
			// A phase is known within its plan only, so its id is no reference.
			const path = `${at}.${at.endsWith(".phases") ? name : (names[name] ?? name)}`;
			// Its keys are event types, which are no names of GraphQL's.
			if (path === ".configuration") return [`${path} JSON`];
			const types: TSchema[] = value.anyOf ?? [value];
			const isRequired =
				objects.every(({ required = [] }) => required.includes(name)) && !types.some(({ type }) => type === "null");
			const [of = value, ...others] = alternatives
				.flatMap((one): TSchema[] => one.anyOf ?? [one])
				.filter(({ type }) => type !== "null");
			// The fields that distinguish the members of a union.
			if (others.some((other) => other.enum?.[0] !== of.enum?.[0]))
				return [
					`${path} ${[of, ...others]
						.map(({ enum: [only] }) => only)
						.sort()
						.join("|")}!`,
				];
			const inner: TSchema = of.type === "array" ? of.items : of;
			const wrapped = `${of.type === "array" ? `[${kindOfSchema(inner)}]` : kindOfSchema(inner)}${isRequired ? "!" : ""}`;
			return [`${path} ${wrapped}`, ...(inner.patternProperties ? [] : linesOfSchema(inner, path))];
		});
	}

	const scalars = new Map([
		["string", "String"],
		["number", "Float"],
		["integer", "Int"],
		["boolean", "Boolean"],
	]);

	function kindOfSchema(schema: TSchema): string {
		// REST also takes a price as a string of digits; GraphQL's Float does not.
		if (schema.anyOf?.[0].type === "number") return "Float";
		if (schema.anyOf || schema.properties) return "object";
		if (schema.patternProperties) return "JSON";
		const { enum: values } = schema as { readonly enum?: readonly string[] };
		if (values?.includes("usd")) return "Currency";
		// No name of GraphQL's has a dash or a dot.
		if (values?.some((value) => /[-.]/.test(value))) return "String";
		if (values)
			return [...values]
				.map((value) => (renamedValues[value] ?? value).toUpperCase())
				.sort()
				.join("|");
		return scalars.get(schema.type) ?? "?";
	}

	test("have exactly the documented fields, by name, type and whether they must be sent", async () => {
		const types = await shownTypes(ours);
		const kindOf = (type: InputField["type"]): string => {
			const shown = types.get(nameOf(type));
			if (shown?.inputFields) return "object";
			if (shown?.enumValues)
				return shown.enumValues
					.map(({ name }) => name.toUpperCase())
					.sort()
					.join("|");
			// Some inputs have instants as text.
			return nameOf(type) === "DateTime" ? "String" : nameOf(type);
		};
		const linesOf = (typeName: string, without: readonly string[], at = ""): string[] =>
			(types.get(typeName)?.inputFields ?? [])
				.filter(({ name }) => !without.includes(name))
				.flatMap(({ name, type }) => {
					const isRequired = type.kind === "NON_NULL";
					const isList = (isRequired ? type.ofType : type)?.kind === "LIST";
					const path = `${at}.${name}`;
					const kind = isList ? `[${kindOf(type)}]` : kindOf(type);
					return [`${path} ${kind}${isRequired ? "!" : ""}`, ...linesOf(nameOf(type), [], path)];
				});
		for (const [name, typeName] of await mutationInputs(ours)) {
			if (assembled.has(name)) continue;
			const [body, ...path] = bodies[name] ?? [undefined, "refId"];
			const shown = linesOf(typeName, path);
			expect([name, ...shown.sort()]).toEqual([name, ...(body ? linesOfSchema(body) : []).sort()]);
		}
	});
});
