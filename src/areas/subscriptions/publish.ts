import type { Work } from "../../kernel/work";
import { preparePublication, publishDraft } from "../packages/operations.lifecycle";
import type { PackageKind, PackagePublish } from "../packages/schema";

/**
 * Makes the draft of a plan or an addon the version that is sold. Answers the task that moves existing subscriptions; null
 * when nothing has to be moved.
 */
export function publishPackage(
	work: Work,
	kind: PackageKind,
	refId: string,
	_: PackagePublish,
): { taskId: string | null } {
	publishDraft(work, preparePublication(work, kind, refId));
	return { taskId: null };
}
