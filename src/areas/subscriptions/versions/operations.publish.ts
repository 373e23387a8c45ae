import type { Work } from "../../../kernel/work";
import { enqueueTask } from "../../../tasks/operations";
import type { PackageKind, PackagePublish } from "../../packages/schema";
import type { VersionRow } from "../../packages/table";
import { type Publishing, preparePublication, publishDraft } from "../../packages/versions/operations";
import type { MigrationPayload } from "./migrate";
import { impactOfPublication } from "./operations.impact";
import { chargesInUse } from "./operations.in-use";
import { countBehind } from "./store";

/**
 * Publishes the draft of a plan or an addon; for its codes see `preparePublication`. With ALL_CUSTOMERS it returns the
 * task that moves the subscriptions on former versions; null without such subscriptions, or with NEW_CUSTOMERS.
 */
export function publishPackage(
	work: Work,
	kind: PackageKind,
	refId: string,
	{ migrationType }: PackagePublish,
): { taskId: string | null } {
	const version = publishDraft(work, preparePublication(work, kind, refId), migrationType);
	return { taskId: migrationType === "ALL_CUSTOMERS" ? migrateTo(work, version) : null };
}

function migrateTo(work: Work, version: VersionRow): string | null {
	const totalCount = countBehind(work, version);
	if (totalCount === 0) return null;
	const payload: MigrationPayload = { versionId: version.id };
	return enqueueTask(work, { type: "MIGRATE_SUBSCRIPTIONS", payload, totalCount }).id;
}

/** For the routes and the GraphQL fields of plans and addons. */
export const publishing: Publishing = { publish: publishPackage, impactOf: impactOfPublication, chargesInUse };
