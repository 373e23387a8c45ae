import { Kind, type Static, Type } from "@sinclair/typebox";
import { queryNumber, queryTexts } from "../../kernel/query";
import { CustomerRefId, literals, nullable } from "../../kernel/schema";
import { EffectiveEntitlement } from "../entitlement-sources/schema";

export const EntitlementsAnswer = Type.Object({
	accessDeniedReason: nullable(literals("CustomerNotFound", "NoActiveSubscription", "CustomerIsArchived")),
	entitlements: Type.Array(EffectiveEntitlement),
});
export type EntitlementsAnswer = Static<typeof EntitlementsAnswer>;

export const EntitlementsPath = Type.Object({ id: CustomerRefId });

/** An empty value means null (docs/interface/http.md): no resource. */
const ResourceQuery = Type.Optional(Type.String({ maxLength: 255 }));

/** An addition to the reference interface: explains each answer, as text and as data. */
const ExplainQuery = Type.Optional(literals("true", "false"));

export const EntitlementsQuery = Type.Object(
	{ resourceId: ResourceQuery, explain: ExplainQuery },
	{ additionalProperties: false },
);
export type EntitlementsQuery = Static<typeof EntitlementsQuery>;

/** No feature has more values. */
const requestedValuesMax = 200;

const checked = {
	featureId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
	currencyId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
	resourceId: ResourceQuery,
	requestedUsage: Type.Optional(queryNumber()),
	requestedValues: Type.Optional(queryTexts(requestedValuesMax, 255)),
};

/** Sent as `dimensions[teamId]=red`. Only for the OpenAPI document: the keys arrive flat. */
const Dimensions = Type.Optional(
	Type.Unsafe<unknown>({
		...Type.Record(Type.String({ maxLength: 255 }), Type.String({ maxLength: 255 })),
		[Kind]: "Any",
		style: "deepObject",
		explode: true,
	}),
);

/** Bracketed keys arrive as additional properties. `questionOf` refuses unknown ones. */
export const EntitlementCheckQuery = Type.Object(
	{ ...checked, dimensions: Dimensions, explain: ExplainQuery },
	{ additionalProperties: Type.String({ maxLength: 255 }) },
);
export type EntitlementCheckQuery = Static<typeof EntitlementCheckQuery>;

/** The parameters of a check. */
export interface EntitlementQuestion {
	readonly featureId?: string | undefined;
	readonly currencyId?: string | undefined;
	readonly resourceId?: string | undefined;
	readonly requestedUsage?: string | undefined;
	readonly requestedValues?: EntitlementCheckQuery["requestedValues"] | undefined;
	readonly dimensions?: Readonly<Record<string, string>> | undefined;
}
