import { and, eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, type ObjectFields, type QueryField, referred, textOf } from "../../graphql/area";
import { columns, type List, refOf } from "../../graphql/lists/list";
import type { OperationContext } from "../../graphql/request/context";
import type { Work } from "../../kernel/work";
import { viewTerm } from "../pricing/rules.terms";
import { productsByIds } from "../products/operations";
import { type ProductRow, products } from "../products/table";
import {
	chargesOfVersions,
	entitlementsOfVersions,
	getVersion,
	inheritedEntitlementsOf,
	latestVersionsOf,
	listPackages,
	packagesByRefs,
	versionsByIds,
} from "./operations";
import { isOffered, type Offer, offeredCharges } from "./rules.offer";
import { viewPhases } from "./rules.phases";
import { type PackageKind, PackageStatus, PricingType } from "./schema";
import { type ChargeRow, type PackageEntitlementRow, packages, packageVersions, type VersionRow } from "./table";

/** The fields that plans and addons share. */
const versionFields = `
	"Each version has its own id."
	id: ID!
	"The caller's id. All versions have the same."
	refId: String!
	displayName: String! description: String additionalMetaData: JSON billingId: String status: PackageStatus!
	versionNumber: Int! isLatest: Boolean! pricingType: PricingType prorationMode: ProrationMode billingAnchor: ChosenBillingAnchor phases: [Phase!]
	"The term for which subscriptions are agreed. Null for none."
	term: Term
	"The cost of usage that is invoiced at once, for each currency. Null for none."
	spendThresholds: [Money!]
	"What all charges of a subscription owe in each window. Null for none."
	commitments: [SpendCommitment!]
	"The ids of the taxes of its prices. Null: those of the customer."
	taxes: [String!]
	product: Product!
	"Grants of features. Those of the base plan are inherited."
	entitlements: [PackageEntitlement!]
	"Grants of features and of credits."
	entitlementItems: [PackageEntitlementItem!]
	prices: [Price!]
	"Prices of usage beyond the limits of entitlements."
	overagePrices: [Price!]
	environmentId: String! createdAt: DateTime! updatedAt: DateTime!
`;

const schemas = { PackageStatus, PricingType };

const typeDefs = `
	enum PackageStatus from PackageStatus
	enum PricingType from PricingType
	enum TrialPeriodUnits { DAY MONTH }
	enum TrialEndBehavior { CONVERT_TO_PAID CANCEL_SUBSCRIPTION }
	type TrialBudget { limit: Float! hasSoftLimit: Boolean! }
	type DefaultTrialConfig {
		duration: Float! units: TrialPeriodUnits! budget: TrialBudget trialEndBehavior: TrialEndBehavior
		"True: usage in the trial is billed at its end."
		billsUsage: Boolean
	}
	type PackageGroupOptions { minItems: Int freeItems: Int }
	type CompatiblePackageGroup {
		packageGroupId: String! displayName: String! addons: [Addon!]! options: PackageGroupOptions!
	}
	type Plan {
		${versionFields}
		basePlan: Plan
		inheritedEntitlements: [PackageEntitlement!]
		"The published addons that can be added to it, at most a hundred."
		compatibleAddons: [Addon!]
		"The ids as they were set. Null means all addons of the product."
		compatibleAddonIds: [String!]
		"Always empty: there are no groups of packages."
		compatiblePackageGroups: [CompatiblePackageGroup!]!
		defaultTrialConfig: DefaultTrialConfig
	}
	type Addon {
		${versionFields}
		"The maximum quantity in one subscription. Null means any quantity."
		maxQuantity: Int
		dependencies: [Addon!]
	}
	extend type ProductSettings { subscriptionStartPlan: Plan downgradePlan: Plan }
`;

/** Returns inherited entitlements by the package id of the base plan. A version inherits only from its base. */
const inheritedFrom = (work: Work, parentIds: readonly string[]): Map<string, PackageEntitlementRow[]> =>
	new Map(parentIds.map((parentId) => [parentId, inheritedEntitlementsOf(work, { parentId })]));

/** Returns latest versions by the caller's ids. A package with only a draft is absent. */
const latestByRefs =
	(kind: PackageKind) =>
	(work: Work, refIds: readonly string[]): Map<string, VersionRow> => {
		const rowIds = [...packagesByRefs(work, kind, refIds).values()].map(({ id }) => id);
		return new Map([...latestVersionsOf(work, rowIds).values()].map((version) => [version.refId, version]));
	};

const plansByRefs = latestByRefs("PLAN");
const addonsByRefs = latestByRefs("ADDON");

/** The source of these fields is the product, so one query reads the plans of a whole page of products. */
const productSettings = fieldsOf<ProductRow>({
	fields: {
		subscriptionStartPlan: (row, _, context) =>
			context.related(row, ({ settings }) => settings.subscriptionStartPlanId ?? null, plansByRefs),
		downgradePlan: (row, _, context) =>
			context.related(row, ({ settings }) => settings.downgradePlanId ?? null, plansByRefs),
	},
});

/** Returns the published addons of each product, newest first, at most one REST page. */
function addonsOfProducts(work: Work, productIds: readonly string[]): Map<string, VersionRow[]> {
	const found = [...productsByIds(work, productIds).values()];
	return new Map(
		found.map(({ id, refId }) => {
			const page = listPackages(work, "ADDON", { productId: refId, status: "PUBLISHED", limit: "100" });
			return [id, page.rows.map(({ version }) => version)];
		}),
	);
}

/** A version, with its buyer if it is shown for sale. */
interface OfferedVersion extends VersionRow {
	readonly offer?: Offer;
}

/** Excludes credits, because clients expect a feature here (docs/interface/graphql.md). */
const ofFeatures = (rows: readonly PackageEntitlementRow[]) => rows.filter(({ type }) => type === "FEATURE");

const shownGrants = (rows: readonly PackageEntitlementRow[] | undefined, { offer }: OfferedVersion) =>
	(rows ?? []).filter((row) => !offer || isOffered(row, offer));

const grantsOf = (row: OfferedVersion, context: OperationContext) =>
	shownGrants(
		context.related(row, ({ id }) => id, entitlementsOfVersions),
		row,
	);

function chargesOf(row: OfferedVersion, context: OperationContext): readonly ChargeRow[] {
	const charges = context.related(row, ({ id }) => id, chargesOfVersions) ?? [];
	return row.offer ? offeredCharges(charges, row.offer) : charges;
}

/** Passes the offer to related versions. */
const alongside = ({ offer }: OfferedVersion, versions: readonly VersionRow[], context: OperationContext) =>
	offer ? context.together(versions.map((version): OfferedVersion => ({ ...version, offer }))) : versions;

const versionResolvers: ObjectFields<OfferedVersion>["fields"] = {
	product: referred(({ productId }) => productId, productsByIds),
	term: ({ term }) => term && viewTerm(term),
	entitlementItems: (row, _, context) => grantsOf(row, context),
	entitlements: (row, _, context) => ofFeatures(grantsOf(row, context)),
	prices: (row, _, context) => chargesOf(row, context).filter(({ isOverage }) => !isOverage),
	overagePrices: (row, _, context) => chargesOf(row, context).filter(({ isOverage }) => isOverage),
	// As in REST, `createdAt` belongs to the package and `updatedAt` to the version.
	createdAt: ({ packageCreatedAt }) => packageCreatedAt,
};

const plan = fieldsOf<OfferedVersion>({
	scope: "CATALOG:READ",
	open: ["id", "refId"],
	fields: {
		...versionResolvers,
		phases: ({ phases }) => phases && viewPhases(phases),
		basePlan: referred(({ parentId }) => parentId, latestVersionsOf),
		inheritedEntitlements: (row, _, context) =>
			ofFeatures(
				shownGrants(
					context.related(row, ({ parentId }) => parentId, inheritedFrom),
					row,
				),
			),
		compatibleAddons(row, _, context) {
			const offered = context.related(row, ({ productId }) => productId, addonsOfProducts) ?? [];
			const { compatibleAddonRefs } = row;
			const compatible = compatibleAddonRefs
				? offered.filter(({ refId }) => compatibleAddonRefs.includes(refId))
				: offered;
			return alongside(row, compatible, context);
		},
		compatibleAddonIds: ({ compatibleAddonRefs }) => compatibleAddonRefs,
		compatiblePackageGroups: () => [],
		defaultTrialConfig: ({ defaultTrial }) => defaultTrial,
	},
});

const addon = fieldsOf<OfferedVersion>({
	scope: "CATALOG:READ",
	open: ["id", "refId"],
	fields: {
		...versionResolvers,
		dependencies: (row, _, context) =>
			alongside(
				row,
				context.relatedAll(row, ({ dependencyRefs }) => dependencyRefs ?? [], addonsByRefs),
				context,
			),
	},
});

/** One row per package: its latest version, or the draft before the first publication. REST lists without a status show the same. */
const shownVersion = sql`(${packageVersions.isLatest} = 1 or (${packageVersions.status} = 'DRAFT' and not exists (
	select 1 from ${packageVersions} as latest where latest.package_id = ${packageVersions.packageId} and latest.is_latest = 1)))`;

const listOfVersions = (type: "Plan" | "Addon", kind: PackageKind, own: List["fields"]): List => ({
	...{ field: `${type.toLowerCase()}s`, everyField: `${type.toLowerCase()}Versions`, type, scope: "CATALOG:READ" },
	source: sql`${packageVersions} inner join ${packages} on ${packages.id} = ${packageVersions.packageId}`,
	id: packageVersions.id,
	within: ({ actor }) =>
		and(eq(packageVersions.environmentId, actor.environmentId), eq(packages.kind, kind)) ?? sql`false`,
	shown: () => shownVersion,
	fields: {
		...columns(packageVersions, "id"),
		...columns(packages, "refId"),
		...columns(packageVersions, "displayName description status:PackageStatus pricingType:PricingType billingId"),
		...columns(packageVersions, "versionNumber isLatest"),
		productId: refOf(packages.productId, products),
		...columns(packages, "createdAt"),
		...columns(packageVersions, "updatedAt environmentId"),
		...own,
	},
	rows: versionsByIds,
});

const versionOf = (type: "Plan" | "Addon", kind: PackageKind): QueryField => ({
	signature: `(refId: String!, version: Int): ${type}`,
	comment: `The version that the list shows, or one by its number. Throws ${type}NotFound.`,
	scope: "CATALOG:READ",
	resolve: (args, { work }) =>
		getVersion(work, kind, textOf(args, "refId") ?? "", {
			...(typeof args.version === "number" && { version: String(args.version) }),
		}),
});

/** The GraphQL fields of plans and addons, which share most of them. */
export const packagesGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { Plan: plan, Addon: addon, ProductSettings: productSettings },
	queries: { plan: versionOf("Plan", "PLAN"), addon: versionOf("Addon", "ADDON") },
	lists: [
		listOfVersions("Plan", "PLAN", {}),
		listOfVersions("Addon", "ADDON", columns(packageVersions, "maxQuantity")),
	],
};
