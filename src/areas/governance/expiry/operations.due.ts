import type { Instant } from "../../../kernel/clock";
import { attemptStep, type DueSource } from "../../../kernel/due";
import { assert } from "../../../kernel/errors";
import { addMinutes } from "../../../kernel/period";
import { workAt } from "../../../kernel/work";
import { dueTimesOf } from "../../access/environments/operations.due";
import { getCustomerById } from "../../customers/operations";
import { archiveExpired } from "../operations.entities";
import { saveEntity } from "../store";
import { entities } from "../table";
import { entityDueAt } from "./store";

/** No rule refuses this step, so a failure is a bug: it is logged as an error, and the step is retried. */
const retryMinutes = 60;

/** The scheduler archives entities at their `expiresAt`. */
export const dueEntities: DueSource = {
	...dueTimesOf(entities),
	carryOutFirst: (work, dueAt) => {
		const entity = entityDueAt(work, dueAt);
		assert(entity, "due entities exist");
		work.cause.operation ??= "scheduler.EXPIRE_ENTITY";
		const { refId: customerId } = getCustomerById(work, entity.customerId);
		const done = { at: dueAt, subject: { customerId, entityId: entity.refId } };
		const failed = attemptStep(work, () => archiveExpired(workAt(work, entity.expiresAt ?? dueAt), entity));
		if (!failed) return done;
		const retryAt = addMinutes(Math.max(work.now, dueAt) as Instant, retryMinutes);
		saveEntity(work, entity.id, { nextDueAt: retryAt });
		return { ...done, ...failed, retry: { step: "EXPIRE_ENTITY", retryAt } };
	},
};
