import { type Static, Type } from "@sinclair/typebox";
import { queryNumber, queryTexts } from "../../kernel/query";
import { CustomerRefId, literals, nullable } from "../../kernel/schema";
import { EffectiveEntitlement } from "../grants/schema";

export const EntitlementsAnswer = Type.Object({
	accessDeniedReason: nullable(literals("CustomerNotFound", "NoActiveSubscription", "CustomerIsArchived")),
	entitlements: Type.Array(EffectiveEntitlement),
});
export type EntitlementsAnswer = Static<typeof EntitlementsAnswer>;

export const EntitlementsPath = Type.Object({ id: CustomerRefId });

/** The empty value is how callers send null (docs/interface/http.md): no resource. */
const ResourceQuery = Type.Optional(Type.String({ maxLength: 255 }));

export const EntitlementsQuery = Type.Object({ resourceId: ResourceQuery }, { additionalProperties: false });
export type EntitlementsQuery = Static<typeof EntitlementsQuery>;

/** Our choice: no feature has more values than this to ask for. */
const requestedValuesMax = 200;

export const EntitlementCheckQuery = Type.Object(
	{
		featureId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
		currencyId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
		resourceId: ResourceQuery,
		requestedUsage: Type.Optional(queryNumber()),
		requestedValues: Type.Optional(queryTexts(requestedValuesMax, 255)),
	},
	{ additionalProperties: false },
);
export type EntitlementCheckQuery = Static<typeof EntitlementCheckQuery>;
