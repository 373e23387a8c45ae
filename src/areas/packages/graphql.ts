import { and, eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, type QueryField, textOf } from "../../graphql/area";
import { choice, date, flag, type List, numeric, text, textThrough } from "../../graphql/lists/list";
import type { OperationContext } from "../../graphql/request/context";
import { toWire } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
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
import type { PackageKind } from "./schema";
import { type ChargeRow, type PackageEntitlementRow, packages, packageVersions, type VersionRow } from "./table";

/** What plans and addons have alike. */
const versionFields = `
	"Each version has an id of its own."
	id: ID!
	"The caller's id, the same for all versions."
	refId: String!
	displayName: String!
	description: String
	additionalMetaData: JSON
	billingId: String
	status: PackageStatus!
	versionNumber: Int!
	isLatest: Boolean!
	pricingType: PricingType
	product: Product!
	"Grants of features; those of the base plan are inherited."
	entitlements: [PackageEntitlement!]
	"The same, with the grants of credits among them."
	entitlementItems: [PackageEntitlementItem!]
	prices: [Price!]
	"What usage beyond the limits of entitlements costs."
	overagePrices: [Price!]
	environmentId: String!
	createdAt: DateTime!
	updatedAt: DateTime!
`;

const typeDefs = `
	enum PackageStatus { DRAFT PUBLISHED ARCHIVED }
	enum PricingType { FREE PAID CUSTOM }
	enum TrialPeriodUnits { DAY MONTH }
	enum TrialEndBehavior { CONVERT_TO_PAID CANCEL_SUBSCRIPTION }
	type TrialBudget { limit: Float! hasSoftLimit: Boolean! }
	type DefaultTrialConfig {
		duration: Float!
		units: TrialPeriodUnits!
		budget: TrialBudget
		trialEndBehavior: TrialEndBehavior
	}
	type PackageGroupOptions { minItems: Int freeItems: Int }
	type CompatiblePackageGroup {
		packageGroupId: String!
		displayName: String!
		addons: [Addon!]!
		options: PackageGroupOptions!
	}
	type Plan {
		${versionFields}
		basePlan: Plan
		inheritedEntitlements: [PackageEntitlement!]
		"The published addons that may go with it, at most a hundred."
		compatibleAddons: [Addon!]
		"As they were set; null means all of the product."
		compatibleAddonIds: [String!]
		"Empty: there are no groups of packages."
		compatiblePackageGroups: [CompatiblePackageGroup!]!
		defaultTrialConfig: DefaultTrialConfig
	}
	type Addon {
		${versionFields}
		"How many one subscription may hold; null means any number."
		maxQuantity: Int
		dependencies: [Addon!]
	}
	extend type ProductSettings { subscriptionStartPlan: Plan downgradePlan: Plan }
	extend type Query {
		"As the list shows it, or one version by its number; throws PlanNotFound."
		plan(refId: String!, version: Int): Plan
		"As the list shows it, or one version by its number; throws AddonNotFound."
		addon(refId: String!, version: Int): Addon
	}
`;

/** By the base's package id: what a version inherits hangs on its base alone. */
const inheritedFrom = (work: Work, parentIds: readonly string[]): Map<string, PackageEntitlementRow[]> =>
	new Map(parentIds.map((parentId) => [parentId, inheritedEntitlementsOf(work, { parentId })]));

function addonsByRefs(work: Work, refIds: readonly string[]): Map<string, VersionRow> {
	const found = packagesByRefs(work, "ADDON", refIds);
	const latest = latestVersionsOf(
		work,
		[...found.values()].map(({ id }) => id),
	);
	return new Map([...latest.values()].map((version) => [version.refId, version]));
}

/** A draft that the settings name shows once it is published. */
function plansByRefs(work: Work, refIds: readonly string[]): Map<string, VersionRow> {
	const packages = packagesByRefs(work, "PLAN", refIds);
	const latest = latestVersionsOf(
		work,
		[...packages.values()].map(({ id }) => id),
	);
	return new Map([...latest.values()].map((version) => [version.refId, version]));
}

/** Their source is the product: so the plans that a page of products names are read together. */
const productSettings = fieldsOf<ProductRow>({
	fields: {
		subscriptionStartPlan: (row, _, context) =>
			context.related(row, ({ settings }) => settings.subscriptionStartPlanId ?? null, plansByRefs),
		downgradePlan: (row, _, context) =>
			context.related(row, ({ settings }) => settings.downgradePlanId ?? null, plansByRefs),
	},
});

/** By product: its published addons, newest first, as many as one page of REST holds. */
function addonsOfProducts(work: Work, productIds: readonly string[]): Map<string, VersionRow[]> {
	const found = [...productsByIds(work, productIds).values()];
	return new Map(
		found.map(({ id, refId }) => {
			const page = listPackages(work, "ADDON", { productId: refId, status: "PUBLISHED", limit: "100" });
			return [id, page.rows.map(({ version }) => version)];
		}),
	);
}

/** A version, and to whom it is offered where it is shown for sale. */
interface OfferedVersion extends VersionRow {
	readonly offer?: Offer;
}

/** Grants of credits are no entitlements of a feature, which clients take for granted here (docs/interface/graphql.md). */
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

/** What belongs to an offer is offered to the same buyer. */
const alongside = ({ offer }: OfferedVersion, versions: readonly VersionRow[], context: OperationContext) =>
	offer ? context.together(versions.map((version): OfferedVersion => ({ ...version, offer }))) : versions;

const versionResolvers = {
	additionalMetaData: ({ metadata }: VersionRow) => metadata,
	product: (row: VersionRow, _: unknown, context: OperationContext) =>
		context.related(row, ({ productId }) => productId, productsByIds),
	entitlementItems: (row: OfferedVersion, _: unknown, context: OperationContext) => grantsOf(row, context),
	entitlements: (row: OfferedVersion, _: unknown, context: OperationContext) => ofFeatures(grantsOf(row, context)),
	prices: (row: OfferedVersion, _: unknown, context: OperationContext) =>
		chargesOf(row, context).filter(({ isOverage }) => !isOverage),
	overagePrices: (row: OfferedVersion, _: unknown, context: OperationContext) =>
		chargesOf(row, context).filter(({ isOverage }) => isOverage),
	// As in REST: the package's birth, the version's last change.
	createdAt: ({ packageCreatedAt }: VersionRow) => packageCreatedAt,
};

const plan = fieldsOf<OfferedVersion>({
	scope: "CATALOG:READ",
	open: ["id", "refId"],
	fields: {
		...versionResolvers,
		basePlan: (row, _, context) => context.related(row, ({ parentId }) => parentId, latestVersionsOf),
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
		defaultTrialConfig: ({ defaultTrial }) =>
			defaultTrial && {
				...defaultTrial,
				budget: defaultTrial.budget && { ...defaultTrial.budget, limit: toWire(defaultTrial.budget.limit) },
			},
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

/** One row for each package: its latest version, or the draft while nothing is published (as REST's lists without a status). */
const shownVersion = sql`(${packageVersions.isLatest} = 1 or (${packageVersions.status} = 'DRAFT' and not exists (
	select 1 from ${packageVersions} as latest where latest.package_id = ${packageVersions.packageId} and latest.is_latest = 1)))`;

const listOfVersions = (type: "Plan" | "Addon", kind: PackageKind, own: List["fields"]): List => ({
	field: `${type.toLowerCase()}s`,
	everyField: `${type.toLowerCase()}Versions`,
	type,
	scope: "CATALOG:READ",
	source: sql`${packageVersions} inner join ${packages} on ${packages.id} = ${packageVersions.packageId}`,
	id: packageVersions.id,
	within: ({ actor }) =>
		and(eq(packageVersions.environmentId, actor.environmentId), eq(packages.kind, kind)) ?? sql`false`,
	shown: () => shownVersion,
	fields: {
		id: text(packageVersions.id),
		refId: text(packages.refId),
		displayName: text(packageVersions.displayName),
		description: text(packageVersions.description),
		status: choice("PackageStatus", packageVersions.status),
		pricingType: choice("PricingType", packageVersions.pricingType),
		billingId: text(packageVersions.billingId),
		versionNumber: numeric(packageVersions.versionNumber),
		isLatest: flag(packageVersions.isLatest),
		productId: textThrough(products.refId, {
			own: packages.productId,
			theirs: products.id,
			environment: products.environmentId,
		}),
		createdAt: date(packages.createdAt),
		updatedAt: date(packageVersions.updatedAt),
		environmentId: text(packageVersions.environmentId),
		...own,
	},
	rows: versionsByIds,
});

const versionOf = (kind: PackageKind): QueryField => ({
	scope: "CATALOG:READ",
	resolve: (args, { work }) =>
		getVersion(work, kind, textOf(args, "refId") ?? "", {
			...(typeof args.version === "number" && { version: String(args.version) }),
		}),
});

/** Plans and addons: what they share makes up most of them. */
export const packagesGraphql: GraphqlArea = {
	typeDefs,
	types: { Plan: plan, Addon: addon, ProductSettings: productSettings },
	queries: { plan: versionOf("PLAN"), addon: versionOf("ADDON") },
	lists: [
		listOfVersions("Plan", "PLAN", {}),
		listOfVersions("Addon", "ADDON", { maxQuantity: numeric(packageVersions.maxQuantity) }),
	],
};
