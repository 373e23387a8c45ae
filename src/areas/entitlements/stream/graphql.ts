import { fieldsOf, type GraphqlArea, type SubscriptionField } from "../../../graphql/area";
import { parseInstant } from "../../../kernel/clock";
import { minus, toDecimal } from "../../../kernel/decimal";
import type { EffectiveCreditEntitlement, EffectiveEntitlement } from "../../entitlement-sources/schema";
import { grantedFeaturesIn, type Holder, type State, shownOf, stateOf, withoutQuota } from "../operations.state";
import type { ObservedChange } from "./watched";

const typeDefs = `
	"The complete list. It replaces the previous list."
	type EntitlementsUpdated {
		customerId: String! resourceId: String
		"Granted features only. entitlementsUpdatedV2 has all entitlements."
		entitlements: [Entitlement!]!
	}
	type UpdatedUsage {
		customerId: String! resourceId: String featureId: String! currentUsage: Float
		"In milliseconds since 1970, as clients compare it."
		nextResetDate: Float
		usagePeriodStart: DateTime usagePeriodEnd: DateTime
	}
	type UsageUpdated { usage: UpdatedUsage! entitlement: Entitlement! }
	"The complete list. Empty without a reason: the customer is unknown."
	type EntitlementsUpdatedV2 {
		customerId: String! resourceId: String accessDeniedReason: AccessDeniedReason entitlements: [EntitlementItem!]!
	}
	enum EntitlementReferenceType { FEATURE CREDIT }
	"The caller's id of a feature, or of a custom currency."
	type EntitlementReference { type: EntitlementReferenceType! id: String! }
	type UpdatedUsageV2 { currentUsage: Float usagePeriodStart: DateTime usagePeriodEnd: DateTime usageUpdatedAt: DateTime! }
	type UsageUpdatedV2 {
		customerId: String! resourceId: String entitlementReference: EntitlementReference! usage: UpdatedUsageV2!
	}
	type CreditBalanceUpdated {
		customerId: String! resourceId: String currency: EntitlementCurrency! currentBalance: Float! totalConsumed: Float!
		totalGranted: Float! validUntil: DateTime
	}
	type PackagePublished { migrationType: PublishMigrationType! }
`;

/** An entitlement whose usage changed, with the change. */
interface Used {
	readonly change: ObservedChange;
	readonly view: EffectiveEntitlement;
}

interface UsedCredits extends Used {
	readonly view: EffectiveCreditEntitlement;
}

const holderOf = ({ of }: ObservedChange): Holder => ({ customerId: of.customerRef, resourceId: of.resourceRef });

const stateIn = (change: ObservedChange): State => {
	const { reason, entitlements, resolved } = change.seen;
	return stateOf(holderOf(change), resolved, { accessDeniedReason: reason, entitlements: [...entitlements] });
};

const customerId = ({ change }: Used): string => change.of.customerRef;
const resourceId = ({ change }: Used): string | null => change.of.resourceRef;
const featureRefOf = (view: EffectiveEntitlement): string => (view.type === "FEATURE" ? (view.feature?.id ?? "") : "");
const periodStartOf = (view: EffectiveEntitlement) => (view.type === "FEATURE" ? view.usagePeriodStart : undefined);
const isMetered = (view: EffectiveEntitlement): boolean => view.type === "FEATURE" && view.currentUsage !== undefined;
const isCredits = (view: EffectiveEntitlement): view is EffectiveCreditEntitlement => view.type === "CREDIT";

const entitlementsUpdated = fieldsOf<ObservedChange>({
	fields: {
		customerId: ({ of }) => of.customerRef,
		resourceId: ({ of }) => of.resourceRef,
		entitlements: (change) => grantedFeaturesIn(stateIn(change)),
	},
});

const entitlementsUpdatedV2 = fieldsOf<ObservedChange>({
	fields: {
		customerId: ({ of }) => of.customerRef,
		resourceId: ({ of }) => of.resourceRef,
		accessDeniedReason: ({ seen }) => seen.reason,
		entitlements: (change) => stateIn(change).shown,
	},
});

const usageUpdated = fieldsOf<Used>({
	fields: {
		usage: (used) => used,
		entitlement: ({ change, view }) => shownOf(withoutQuota(view), holderOf(change), change.seen.resolved),
	},
});

const updatedUsage = fieldsOf<Used>({
	fields: {
		customerId,
		resourceId,
		featureId: ({ view }) => featureRefOf(view),
		currentUsage: ({ view }) => view.currentUsage,
		nextResetDate: ({ view }) => (view.usagePeriodEnd === undefined ? null : parseInstant(view.usagePeriodEnd)),
		usagePeriodStart: ({ view }) => periodStartOf(view),
		usagePeriodEnd: ({ view }) => view.usagePeriodEnd,
	},
});

const usageUpdatedV2 = fieldsOf<Used>({
	fields: {
		customerId,
		resourceId,
		entitlementReference: ({ view }) =>
			isCredits(view) ? { type: "CREDIT", id: view.currency.currencyId } : { type: "FEATURE", id: featureRefOf(view) },
		usage: (used) => used,
	},
});

const updatedUsageV2 = fieldsOf<Used>({
	fields: {
		currentUsage: ({ view }) => view.currentUsage,
		usagePeriodStart: ({ view }) => periodStartOf(view),
		usagePeriodEnd: ({ view }) => view.usagePeriodEnd,
		usageUpdatedAt: ({ change, view }) => (isCredits(view) ? view.usageUpdatedAt : change.seen.at),
	},
});

const creditBalanceUpdated = fieldsOf<UsedCredits>({
	fields: {
		customerId,
		resourceId,
		currency: ({ view }) => view.currency,
		currentBalance: ({ view }) => minus(toDecimal(view.usageLimit), toDecimal(view.currentUsage)),
		totalConsumed: ({ view }) => view.currentUsage,
		totalGranted: ({ view }) => view.usageLimit,
		validUntil: ({ view }) => view.validUntil,
	},
});

/** REST's scope for entitlements is the customer's (docs/interface/access.md). */
const scope = "CUSTOMER:READ";

/** Emits the events of each change of a customer's entitlements. */
const emitting = (signature: string, eventsOf: (change: ObservedChange) => readonly object[]): SubscriptionField => ({
	...{ signature, scope },
	follow: ({ watching }, environmentId, emit) =>
		watching.followAll(environmentId, (change) => {
			const waiting = eventsOf(change).flatMap((event) => emit(event) ?? []);
			return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
		}),
});

const ofTerms = (change: ObservedChange): readonly ObservedChange[] => (change.isOfTerms ? [change] : []);
const ofEach = (among: readonly EffectiveEntitlement[], change: ObservedChange): Used[] =>
	among.map((view) => ({ change, view }));

export const entitlementChangesGraphql: GraphqlArea = {
	typeDefs,
	types: {
		EntitlementsUpdated: entitlementsUpdated,
		UsageUpdated: usageUpdated,
		UpdatedUsage: updatedUsage,
		EntitlementsUpdatedV2: entitlementsUpdatedV2,
		UsageUpdatedV2: usageUpdatedV2,
		UpdatedUsageV2: updatedUsageV2,
		CreditBalanceUpdated: creditBalanceUpdated,
	},
	subscriptions: {
		entitlementsUpdated: {
			...emitting(": EntitlementsUpdated!", ofTerms),
			comment: "For all customers of the environment, as all subscriptions.",
		},
		usageUpdated: emitting(": UsageUpdated!", (change) => ofEach(change.used.filter(isMetered), change)),
		entitlementsUpdatedV2: emitting(": EntitlementsUpdatedV2!", ofTerms),
		usageUpdatedV2: emitting(": UsageUpdatedV2!", (change) =>
			ofEach(
				change.used.filter((view) => isMetered(view) || isCredits(view)),
				change,
			),
		),
		creditBalanceUpdated: emitting(": CreditBalanceUpdated!", (change) =>
			ofEach(change.changed.filter(isCredits), change),
		),
		packagePublished: {
			...{ signature: ": PackagePublished!", scope: "CATALOG:READ" },
			follow: ({ watching }, environmentId, emit) =>
				watching.followPublications(environmentId, (publication) => void emit(publication)),
		},
	},
};
