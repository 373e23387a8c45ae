import { dueTimesOf } from "../areas/access/environments/operations.due";
import { outboxNotices } from "../areas/outbox/table";

/** Selects the due times of notices, of an environment and of all. */
export const noticeTimes = dueTimesOf(outboxNotices);
