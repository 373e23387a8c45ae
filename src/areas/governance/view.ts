import { toIso, toIsoOrNull } from "../../kernel/clock";
import { toWireOrNull } from "../../kernel/decimal";
import type { TypedEntity } from "./operations.entities";
import type { GovernanceAssignment, GovernanceEntity, GovernanceEntityType } from "./schema";
import type { ShownAssignment } from "./shown/operations";
import type { ShownEntityType } from "./templates/operations.types";
import { viewCapability } from "./view.capability";

export const viewEntityType = (row: ShownEntityType): GovernanceEntityType => ({
	id: row.refId,
	displayName: row.displayName,
	description: row.description,
	attributionKeys: row.attributionKeys,
	...(row.createsEntities && { createsEntities: true }),
	...(row.parentRef !== null && { parentEntityTypeId: row.parentRef }),
	...(row.defaults.length > 0 && { defaultAssignments: row.defaults }),
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});

export const viewEntity = (row: TypedEntity): GovernanceEntity => ({
	id: row.refId,
	entityTypeId: row.typeRef,
	displayName: row.displayName,
	metadata: row.metadata,
	archivedAt: toIsoOrNull(row.archivedAt),
	...(row.expiresAt !== null && { expiresAt: toIso(row.expiresAt) }),
	...(row.approver !== null && { approver: row.approver }),
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});

export const viewAssignment = (row: ShownAssignment): GovernanceAssignment => ({
	id: row.id,
	entityId: row.entity.refId,
	...viewCapability(row.node.capability, row.capabilityRef),
	parentId: row.parentRef,
	scopeEntityIds: [...row.scopeRefs],
	usageLimit: toWireOrNull(row.usageLimit),
	...(row.hasSoftLimit && { hasSoftLimit: true }),
	...(row.allocatedFrom !== null && { allocated: true }),
	cadence: row.cadence,
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});
