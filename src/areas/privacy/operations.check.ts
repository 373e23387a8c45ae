import { sql } from "drizzle-orm";
import { packedIn, unpackedIn } from "../../kernel/storage/packed-id";
import type { Work } from "../../kernel/work";

/**
 * Checks that an erasure, recorded in the audit log itself, explains all personal data that the log has lost. Returns a
 * line for each customer, contract, invoice or subscription without one.
 */
export const checkErased = ({ tx }: Work): string[] =>
	tx
		.all<{ subject: string; changes: number }>(
			sql`WITH logged AS MATERIALIZED (
				SELECT customer_id FROM erasures WHERE
					EXISTS (SELECT 1 FROM audit_chains JOIN audit_subjects ON chain = number WHERE audit_chains.environment_id = ${packedIn(sql`erasures.environment_id`)} AND key = ${packedIn(sql`erasures.id`)} AND entity_type = 'Erasure')
					OR EXISTS (SELECT 1 FROM audit_chains WHERE audit_chains.environment_id = ${packedIn(sql`erasures.environment_id`)} AND sealed_sequence > 0)
			), lost AS MATERIALIZED (
				SELECT ${unpackedIn(sql`subject_id`)} AS subject_id, count(*) AS changes FROM audit_personal
				WHERE erased_at IS NOT NULL GROUP BY audit_personal.subject_id
			)
			SELECT subject_id AS subject, changes FROM lost WHERE
				subject_id NOT IN logged
				AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE id = subject_id AND customer_id IN logged)
				AND NOT EXISTS (SELECT 1 FROM contracts WHERE id = subject_id AND customer_id IN logged)
				AND NOT EXISTS (SELECT 1 FROM invoices WHERE id = subject_id AND customer_id IN logged)
			LIMIT ${findingsMax}`,
		)
		.map(
			({ subject, changes }) =>
				`${changes} changes in the audit log have lost their personal data of ${subject} without a recorded erasure; restore a backup`,
		);

/** Returns the first 100 findings, which suffice to see the cause. */
const findingsMax = 100;
