import { dueTimesOf } from "../areas/access/environments/operations.due";
import { outboxNotices } from "../areas/outbox/table";

/** When a notice is due in an environment, and where one is at all. */
export const noticeTimes = dueTimesOf(outboxNotices);
