import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { queryList } from "../../../kernel/query";
import { Currency, DisplayName, literals, nullable, RefId, Timestamp } from "../../../kernel/schema";
import { ProrationMode } from "../../../kernel/schema.proration-mode";
import { TimeZone } from "../../../kernel/schema.time-zone";
import { AllowedOrigins } from "../keys/schema";

export const EnvironmentPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) });

const settings = {
	unknownCustomers: literals("refuse", "accept"),
	clientHardening: Type.Boolean(),
	allowedOrigins: AllowedOrigins,
	billingAnchor: literals("SUBSCRIPTION_START", "START_OF_THE_MONTH"),
	prorationMode: ProrationMode,
	timeZone: TimeZone,
	timeZoneSource: literals("ENVIRONMENT", "CUSTOMER"),
	defaultCurrency: Currency,
	governance: Type.Boolean(),
};

/** Our addition. A new environment has no taxes to name. */
const taxSettings = {
	/** The ids of the taxes that apply where no lower level assigns any; null: none. */
	taxes: Type.Optional(nullable(Type.Array(RefId, { maxItems: 20 }))),
	taxRounding: Type.Optional(literals("LINE", "INVOICE")),
};

/** Our addition: whether the coupons of subscription and customer all apply. */
const discountStacking = Type.Optional(literals("ONE", "ALL"));

/** Our addition: no change can be dated before it. Null opens the books. */
const booksClosedUntil = Type.Optional(nullable(Timestamp));

export const EnvironmentCreate = Type.Object(
	{
		name: DisplayName,
		type: Type.Optional(literals("PRODUCTION", "SANDBOX", "DEVELOPMENT")),
		...Type.Partial(Type.Object(settings)).properties,
		taxRounding: taxSettings.taxRounding,
		discountStacking,
		booksClosedUntil,
	},
	{ additionalProperties: false },
);
export type EnvironmentCreate = Static<typeof EnvironmentCreate>;

export const EnvironmentUpdate = Type.Object(
	{
		name: Type.Optional(DisplayName),
		...Type.Partial(Type.Object(settings)).properties,
		...taxSettings,
		discountStacking,
		booksClosedUntil,
	},
	{ additionalProperties: false },
);
export type EnvironmentUpdate = Static<typeof EnvironmentUpdate>;

export const EnvironmentListQuery = Type.Object(
	{ ...pageQuery, status: Type.Optional(queryList("ACTIVE", "ARCHIVED")) },
	{ additionalProperties: false },
);
export type EnvironmentListQuery = Static<typeof EnvironmentListQuery>;

const view = {
	id: Type.String(),
	accountId: Type.String(),
	name: Type.String(),
	type: literals("PRODUCTION", "SANDBOX", "DEVELOPMENT"),
	status: literals("ACTIVE", "ARCHIVED"),
	...settings,
	allowedOrigins: Type.Array(Type.String()),
	/** Present if the environment has taxes. */
	taxes: Type.Optional(Type.Array(Type.String())),
	/** Present if it is not LINE. */
	taxRounding: Type.Optional(literals("LINE", "INVOICE")),
	/** Present if it is not ONE. */
	discountStacking,
	/** Present if the books are closed. */
	booksClosedUntil: Type.Optional(Type.String()),
	createdAt: Type.String(),
	archivedAt: nullable(Type.String()),
};

export const Environment = Type.Object(view, { $id: "Environment" });
export type Environment = Static<typeof Environment>;

/** An environment with its two default keys. Only this response shows their secrets. */
export const EnvironmentWithKeys = Type.Object(
	{ ...view, fullAccessKey: nullable(Type.String()), publishableKey: Type.String() },
	{ $id: "EnvironmentWithKeys" },
);

/** The signing secret is present only if this call switched client hardening on. */
export const UpdatedEnvironment = Type.Object(
	{ ...view, signingSecret: nullable(Type.String()) },
	{ $id: "UpdatedEnvironment" },
);
