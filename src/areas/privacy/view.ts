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
		// A task is forgotten some weeks after its end; one that was given up left no certificate.
		status: completedAt === null ? (getTask(work, id)?.status ?? "FAILED") : "COMPLETED",
		...{ requestedAt: toIso(erasure.requestedAt), completedAt: toIsoOrNull(completedAt) },
		...{ certificate: certificate === null ? null : JSON.parse(certificate), sha256: erasure.sha256 },
	};
}
