import type { TSchema } from "@sinclair/typebox";
import * as environments from "../areas/access/environments/schema";
import * as apiKeys from "../areas/access/keys/schema";
import * as access from "../areas/access/schema";
import * as addons from "../areas/addons/schema";
import * as merge from "../areas/catalog/schema.merge";
import * as contracts from "../areas/contracts/schema";
import * as contractsShown from "../areas/contracts/schema.shown";
import * as coupons from "../areas/coupons/schema";
import * as currencies from "../areas/currencies/schema";
import * as customers from "../areas/customers/schema";
import * as customerImport from "../areas/customers/schema.import";
import * as customerIntegrations from "../areas/customers/schema.integrations";
import * as customerInvoicing from "../areas/customers/schema.invoicing";
import * as dunningPolicies from "../areas/dunning/policies/schema";
import * as dunning from "../areas/dunning/schema";
import * as grants from "../areas/entitlement-sources/schema";
import * as explanation from "../areas/entitlement-sources/schema.explanation";
import * as alerts from "../areas/entitlements/alerts/schema";
import * as entitlements from "../areas/entitlements/schema";
import * as entitlementStream from "../areas/entitlements/stream/schema";
import * as features from "../areas/features/schema";
import * as balance from "../areas/invoices/balance/schema";
import * as creditNotes from "../areas/invoices/credit-notes/schema";
import * as explanations from "../areas/invoices/explain/schema";
import * as invoiceLists from "../areas/invoices/lists/schema";
import * as payments from "../areas/invoices/payments/schema";
import * as invoices from "../areas/invoices/schema";
import * as legalEntities from "../areas/legal-entities/schema";
import * as charges from "../areas/packages/charges/schema";
import * as packageEntitlements from "../areas/packages/entitlements/schema";
import * as packages from "../areas/packages/schema";
import * as impact from "../areas/packages/versions/schema.impact";
import * as plans from "../areas/plans/schema";
import * as products from "../areas/products/schema";
import * as promotionalEntitlements from "../areas/promotional-entitlements/schema";
import * as simulate from "../areas/simulations/schema";
import * as subscriptionImport from "../areas/subscriptions/import/schema";
import * as provisioned from "../areas/subscriptions/lifecycle/schema.provisioned";
import * as preview from "../areas/subscriptions/preview/schema";
import * as packagePreview from "../areas/subscriptions/preview/schema.package";
import * as subscriptions from "../areas/subscriptions/schema";
import * as provision from "../areas/subscriptions/schema.provision";
import * as update from "../areas/subscriptions/schema.update";
import * as taxes from "../areas/taxes/schema";
import * as usage from "../areas/usage/schema";
import * as graphql from "../graphql/openapi";
import * as kernel from "../kernel/schema";
import * as tasks from "../tasks/schema";
import * as clocks from "../test-clocks/schema";

/** All modules that describe the wire. Their exports have the same names in the OpenAPI document. */
const modules: ReadonlyArray<Readonly<Record<string, unknown>>> = [
	kernel,
	access,
	apiKeys,
	environments,
	merge,
	dunningPolicies,
	dunning,
	products,
	features,
	currencies,
	packages,
	charges,
	packageEntitlements,
	impact,
	plans,
	addons,
	coupons,
	taxes,
	customers,
	customerImport,
	customerIntegrations,
	customerInvoicing,
	promotionalEntitlements,
	grants,
	explanation,
	alerts,
	entitlements,
	entitlementStream,
	subscriptions,
	provision,
	provisioned,
	update,
	preview,
	packagePreview,
	subscriptionImport,
	simulate,
	invoices,
	creditNotes,
	legalEntities,
	balance,
	payments,
	invoiceLists,
	explanations,
	usage,
	contracts,
	contractsShown,
	clocks,
	tasks,
	graphql,
];

const isSchema = (value: unknown): value is TSchema =>
	typeof value === "object" && value !== null && ("type" in value || "anyOf" in value);

/** The schemas with their names in the document: the export's name, or the schema's `$id`. */
export const namedSchemas = (): ReadonlyArray<readonly [name: string, schema: TSchema]> =>
	modules.flatMap((module) =>
		Object.entries(module).flatMap(([name, value]) => (isSchema(value) ? [[value.$id ?? name, value] as const] : [])),
	);
