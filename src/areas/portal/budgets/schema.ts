import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { nullable, RefId } from "../../../kernel/schema";
import { BudgetRequest } from "../../governance/requests/schema";
import { GovernanceNode, TreeQuery } from "../../governance/schema";
import { BudgetAccess } from "../schema";

// This file is our addition: the interface has no portal.

const closed = { additionalProperties: false };
const Text = Type.String();
const nullableText = nullable(Text);

/** The scope and the person of a link. */
export const PortalLink = Type.Object(
	{
		customerId: Text,
		/** BCP 47; null means the language of the browser. */
		language: nullableText,
		/** The access to budgets; null: none. */
		budgets: nullable(BudgetAccess),
		/** The entity whose budgets, and those below, are all that the link shows. */
		entity: nullable(Type.Object({ id: Text, displayName: nullableText })),
		personId: nullableText,
		returnUrl: nullableText,
		expiresAt: Text,
	},
	{ $id: "PortalLink" },
);
export type PortalLink = Static<typeof PortalLink>;

const { after, limit, featureIds, currencyIds, entityTypeIds, entityIdSearch, minUtilization } = TreeQuery.properties;

/** A page of the tree in the order of utilization, highest first. */
export const PortalBudgetQuery = Type.Object(
	{ after, limit, featureIds, currencyIds, entityTypeIds, entityIdSearch, minUtilization },
	closed,
);
export type PortalBudgetQuery = Static<typeof PortalBudgetQuery>;

export const PortalBudgetPath = Type.Object({ entityId: RefId });

export const PortalBudget = Type.Object(
	{
		...GovernanceNode.properties,
		/** The name of the feature or currency, and of its units. */
		name: Text,
		units: nullableText,
		/** Whether the link may change the limit. */
		isGoverned: Type.Boolean(),
	},
	{ $id: "PortalBudget" },
);
export type PortalBudget = Static<typeof PortalBudget>;

/** As for limits of assignments. */
const Limit = ExactNumber({ minimum: 0, maximum: 999_999_999_999_999 });

export const PortalLimitUpdate = Type.Object(
	{
		/** Exactly one of the two. */
		featureId: Type.Optional(RefId),
		currencyId: Type.Optional(RefId),
		/** The scope of the budget. Default: the budget of the whole entity. */
		scopeEntityIds: Type.Optional(Type.Array(RefId, { maxItems: 10 })),
		/** Null: no limit. */
		usageLimit: nullable(Limit),
	},
	{ $id: "PortalLimitBody", ...closed },
);
export type PortalLimitUpdate = Static<typeof PortalLimitUpdate>;

export const PortalBudgetRequest = Type.Object(
	{
		...BudgetRequest.properties,
		entityName: nullableText,
		/** The name of the feature or currency. */
		name: Text,
		/** The person who made the request with a link; null for another actor. */
		personId: nullableText,
		/** Whether the link may approve or decline it. */
		isDecidable: Type.Boolean(),
	},
	{ $id: "PortalBudgetRequest" },
);
export type PortalBudgetRequest = Static<typeof PortalBudgetRequest>;
