import { toIso, toIsoOrNull } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { getTask } from "../../tasks/operations";
import { getCustomerById } from "../customers/operations";
import type { Erasure } from "./schema";
import type { ErasureRow } from "./table";

export function viewErasure(work: Work, erasure: ErasureRow): Erasure {
	const { id, completedAt, certificate } = erasure;
	return {
		...{ id, taskId: id, customerId: getCustomerById(work, erasure.customerId).refId },
		// Tasks are deleted some weeks after their end. A missing task without a certificate has failed.
		status: completedAt === null ? (getTask(work, id)?.status ?? "FAILED") : "COMPLETED",
		...{ requestedAt: toIso(erasure.requestedAt), completedAt: toIsoOrNull(completedAt) },
		...{ certificate: certificate === null ? null : JSON.parse(certificate), sha256: erasure.sha256 },
	};
}
