import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../kernel/number-schema";
import { pageQuery, pageSizeMax } from "../../kernel/page";
import { queryInteger, queryNumber, queryTexts } from "../../kernel/query";
import {
	CustomerRefId,
	Description,
	DisplayName,
	Email,
	literals,
	Metadata,
	nullable,
	RefId,
	Timestamp,
} from "../../kernel/schema";

/** Source: docs/interface/governance.md#assignments. */
const itemsMax = 100;
const attributionKeysMax = 2;
/** Our choice (docs/interface/governance.md#assignments): far more kinds of entities than one use has. */
const scopeEntitiesMax = 10;

export const GovernedPath = Type.Object({ id: CustomerRefId });
export const EntityPath = Type.Object({ id: CustomerRefId, entityId: RefId });

const items = <T extends Parameters<typeof Type.Array>[0]>(item: T) =>
	Type.Array(item, { minItems: 1, maxItems: itemsMax });

/** An empty text clears, as null does. */
const cleared = Type.Literal("");

/** As for reported usage: numbers that JSON holds without loss. */
const usageLimitMax = 999_999_999_999_999;

/** Our choice (docs/interface/governance.md#templates): more features than one kind of entity uses. */
const defaultAssignmentsMax = 10;

/** A limit and its windows. A limit of null is no limit. */
export const limited = {
	usageLimit: nullable(ExactNumber({ minimum: 0, maximum: usageLimitMax })),
	/** An ISO 8601 duration of one unit, or LIFETIME. */
	cadence: Type.String({ minLength: 1, maxLength: 32 }),
};

const DefaultAssignmentItem = Type.Object(
	{ featureId: Type.Optional(RefId), currencyId: Type.Optional(RefId), ...limited },
	{ additionalProperties: false },
);
export type DefaultAssignmentItem = Static<typeof DefaultAssignmentItem>;

const EntityTypeItem = Type.Object(
	{
		id: RefId,
		displayName: Type.Optional(DisplayName),
		description: Type.Optional(nullable(Type.Union([cleared, Description]))),
		attributionKeys: Type.Optional(
			Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: attributionKeysMax, uniqueItems: true }),
		),
		/** Usage that names an unknown entity creates it. */
		createsEntities: Type.Optional(Type.Boolean()),
		/** The type whose entity becomes the parent of a created one; null: it is a root. */
		parentEntityTypeId: Type.Optional(nullable(RefId)),
		/** The budgets of a created entity. */
		defaultAssignments: Type.Optional(Type.Array(DefaultAssignmentItem, { maxItems: defaultAssignmentsMax })),
	},
	{ additionalProperties: false },
);
export type EntityTypeItem = Static<typeof EntityTypeItem>;
export const EntityTypesBody = Type.Object({ types: items(EntityTypeItem) }, { additionalProperties: false });
export type EntityTypesBody = { readonly types: readonly EntityTypeItem[] };
export const EntityTypeListQuery = Type.Object(pageQuery, { additionalProperties: false });

/** The person who decides requests for the budgets below an entity. */
export const Approver = Type.Object(
	{
		/** Tollgate mails links to this address. */
		email: Email,
		/** Your id of the person, as in portal links. Nobody decides their own request. */
		personId: Type.Optional(RefId),
	},
	{ additionalProperties: false },
);
export type Approver = Static<typeof Approver>;

const EntityItem = Type.Object(
	{
		id: RefId,
		entityTypeId: Type.Optional(RefId),
		displayName: Type.Optional(nullable(Type.Union([cleared, DisplayName]))),
		/** Merged: keys that are not sent stay, and an empty value deletes its key. */
		metadata: Type.Optional(Metadata),
		/** The entity is archived at this instant; null: never. */
		expiresAt: Type.Optional(nullable(Timestamp)),
		/** Null: nobody. */
		approver: Type.Optional(nullable(Approver)),
	},
	{ additionalProperties: false },
);
export type EntityItem = Static<typeof EntityItem>;
export const EntitiesBody = Type.Object({ entities: items(EntityItem) }, { additionalProperties: false });
export type EntitiesBody = { readonly entities: readonly EntityItem[] };

export const EntityListQuery = Type.Object(
	{ ...pageQuery, entityTypeId: Type.Optional(RefId), includeArchived: Type.Optional(literals("true", "false")) },
	{ additionalProperties: false },
);
export type EntityListQuery = Static<typeof EntityListQuery>;

export const EntityIds = Type.Object({ ids: items(RefId) }, { additionalProperties: false });
export type EntityIds = { readonly ids: readonly string[] };
export const IdList = Type.Object({ ids: Type.Array(Type.String()) });

export const AssignmentItem = Type.Object(
	{
		entityId: RefId,
		featureId: Type.Optional(RefId),
		currencyId: Type.Optional(RefId),
		/** An entity; null for a root. */
		parentId: Type.Optional(nullable(RefId)),
		/** Default: the budget of the whole node. */
		scopeEntityIds: Type.Optional(Type.Array(RefId, { maxItems: scopeEntitiesMax })),
		/** Null: no limit. */
		usageLimit: Type.Optional(limited.usageLimit),
		/** Usage continues beyond the limit, and is counted. */
		hasSoftLimit: Type.Optional(Type.Boolean()),
		/** The limit is reserved at the parent: its other children cannot use it. */
		allocated: Type.Optional(Type.Boolean()),
		cadence: Type.Optional(limited.cadence),
	},
	{ additionalProperties: false },
);
export type AssignmentItem = Static<typeof AssignmentItem>;
export const AssignmentsBody = Type.Object({ assignments: items(AssignmentItem) }, { additionalProperties: false });
export type AssignmentsBody = { readonly assignments: readonly AssignmentItem[] };

export const AssignmentListQuery = Type.Object(
	{
		...pageQuery,
		entityId: Type.Optional(RefId),
		featureId: Type.Optional(RefId),
		currencyId: Type.Optional(RefId),
	},
	{ additionalProperties: false },
);
export type AssignmentListQuery = Static<typeof AssignmentListQuery>;

export const TreeQuery = Type.Object(
	{
		/** Opaque, unlike the cursors of the other lists: it contains the sorted value. */
		after: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
		limit: Type.Optional(queryInteger(1, pageSizeMax)),
		featureIds: Type.Optional(queryTexts(itemsMax, 255)),
		currencyIds: Type.Optional(queryTexts(itemsMax, 255)),
		/** An addition: limits and usage of all features and currencies, without their ids. */
		includeUsage: Type.Optional(literals("true", "false")),
		entityTypeIds: Type.Optional(queryTexts(itemsMax, 255)),
		entityIdSearch: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
		minUtilization: Type.Optional(queryNumber()),
		scope: Type.Optional(literals("all", "nodeWide", "scoped")),
		sortBy: Type.Optional(literals("utilization", "currentUsage", "usageLimit", "scopeSize", "id", "createdAt")),
		order: Type.Optional(literals("asc", "desc")),
	},
	{ additionalProperties: false },
);
export type TreeQuery = Static<typeof TreeQuery>;

/** Exactly one of the two. */
const capability = { featureId: Type.Optional(Type.String()), currencyId: Type.Optional(Type.String()) };

export const DefaultAssignment = Type.Object(
	{ ...capability, usageLimit: nullable(Type.Number()), cadence: Type.String() },
	{ $id: "GovernanceDefaultAssignment" },
);

export const GovernanceEntityType = Type.Object(
	{
		id: Type.String(),
		displayName: Type.String(),
		description: nullable(Type.String()),
		attributionKeys: Type.Array(Type.String()),
		/** Additions to the interface: only if they are set. */
		createsEntities: Type.Optional(Type.Boolean()),
		parentEntityTypeId: Type.Optional(Type.String()),
		defaultAssignments: Type.Optional(Type.Array(DefaultAssignment)),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "GovernanceEntityType" },
);
export type GovernanceEntityType = Static<typeof GovernanceEntityType>;

export const GovernanceEntity = Type.Object(
	{
		id: Type.String(),
		entityTypeId: Type.String(),
		displayName: nullable(Type.String()),
		metadata: Metadata,
		archivedAt: nullable(Type.String()),
		/** Additions to the interface: only if it has them. */
		expiresAt: Type.Optional(Type.String()),
		approver: Type.Optional(Approver),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "GovernanceEntity" },
);
export type GovernanceEntity = Static<typeof GovernanceEntity>;

export const GovernanceAssignment = Type.Object(
	{
		id: Type.String(),
		entityId: Type.String(),
		...capability,
		parentId: nullable(Type.String()),
		scopeEntityIds: Type.Array(Type.String()),
		usageLimit: nullable(Type.Number()),
		/** Additions to the interface: only if they are true. */
		hasSoftLimit: Type.Optional(Type.Boolean()),
		allocated: Type.Optional(Type.Boolean()),
		cadence: Type.String(),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "GovernanceAssignment" },
);
export type GovernanceAssignment = Static<typeof GovernanceAssignment>;

/** A budget in the tree. Without `featureIds` and `currencyIds`, the tree shows neither limits nor usage. */
export const GovernanceNode = Type.Object(
	{
		entityId: Type.String(),
		entityTypeId: Type.String(),
		displayName: nullable(Type.String()),
		...capability,
		parentId: nullable(Type.String()),
		scopeEntityIds: Type.Array(Type.String()),
		usageLimit: nullable(Type.Number()),
		/** Additions to the interface, as the reserved amount: only if they are true. */
		hasSoftLimit: Type.Optional(Type.Boolean()),
		allocated: Type.Optional(Type.Boolean()),
		cadence: nullable(Type.String()),
		currentUsage: nullable(Type.Number()),
		reservedUsage: Type.Optional(Type.Number()),
		utilization: nullable(Type.Number()),
		usagePeriodStart: nullable(Type.String()),
		usagePeriodEnd: nullable(Type.String()),
	},
	{ $id: "GovernanceNode" },
);
export type GovernanceNode = Static<typeof GovernanceNode>;
