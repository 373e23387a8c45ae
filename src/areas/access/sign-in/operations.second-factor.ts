import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { hashSecret } from "../rules.secrets";
import { newRecoveryCode } from "../secrets";
import type { UserRow } from "../table";
import { enrolmentOf, plainRecoveryCode, recoveryCodesCount, stepOfCode } from "./rules";
import {
	deleteRecoveryCode,
	deleteSecondFactor,
	findSecondFactor,
	hasRecoveryCode,
	insertRecoveryCodes,
	insertSecondFactor,
	saveSecondFactor,
} from "./store";
import type { SecondFactorRow } from "./table";

export { deleteSecondFactor as dropSecondFactor };

/** A code that is sent in addition to the password: one of both. */
export interface SentCode {
	readonly totpCode?: string | undefined;
	readonly recoveryCode?: string | undefined;
}

/** Returns the confirmed second factor; undefined if there is none. */
export function findConfirmed(work: Work, userId: string): SecondFactorRow | undefined {
	const factor = findSecondFactor(work, userId);
	return factor?.confirmedAt === null ? undefined : factor;
}

/** Starts the enrolment of an app, which becomes active after a code is confirmed. Throws DuplicatedEntityNotAllowed if one is active. */
export function enrolSecondFactor(work: Work, user: UserRow, folderSecret: string) {
	if (findConfirmed(work, user.id))
		throw fail("DuplicatedEntityNotAllowed", "You already have a second factor; remove it first.");
	deleteSecondFactor(work, user.id);
	const enrolment = enrolmentOf(folderSecret, insertSecondFactor(work, user.id), user.email);
	work.secrets.push(enrolment.secret);
	return enrolment;
}

/** Returns the app that waits for its first code. Throws BadUserInput if there is none. */
export function getEnrolled(work: Work, userId: string): SecondFactorRow {
	const factor = findSecondFactor(work, userId);
	if (!factor || factor.confirmedAt !== null)
		throw fail("BadUserInput", "There is no second factor to confirm; enrol one first.");
	return factor;
}

/** Activates the second factor. Returns the recovery codes, which are shown only once. */
export function confirmSecondFactor(work: Work, user: UserRow, code: string, folderSecret: string): string[] {
	const factor = getEnrolled(work, user.id);
	const lastStep = stepOfCode(folderSecret, factor, code, work.machineNow);
	if (lastStep === undefined) throw wrongCode();
	saveSecondFactor(work, factor.id, { confirmedAt: work.machineNow, lastStep });
	const codes = Array.from({ length: recoveryCodesCount }, newRecoveryCode);
	work.secrets.push(...codes);
	insertRecoveryCodes(work, user.id, codes.map(plainRecoveryCode).map(hashSecret));
	return codes;
}

/** Whether a code is valid now, without using it up. */
export const isRightCode = (work: Work, factor: SecondFactorRow, sent: SentCode, folderSecret: string): boolean =>
	sent.recoveryCode === undefined
		? stepOfCode(folderSecret, factor, sent.totpCode ?? "", work.machineNow) !== undefined
		: hasRecoveryCode(work, factor.userId, hashSecret(plainRecoveryCode(sent.recoveryCode)));

/** Uses a code up, so it cannot be used again. Throws Unauthenticated if it is wrong or was used in the meantime. */
export function useCode(work: Work, factor: SecondFactorRow, sent: SentCode, folderSecret: string): void {
	// Reads the row again, because another sign-in may have used the same code in the meantime.
	const current = findConfirmed(work, factor.userId);
	if (!current || !isRightCode(work, current, sent, folderSecret)) throw wrongCode();
	if (sent.recoveryCode !== undefined) {
		deleteRecoveryCode(work, factor.userId, hashSecret(plainRecoveryCode(sent.recoveryCode)));
		return;
	}
	const lastStep = stepOfCode(folderSecret, current, sent.totpCode ?? "", work.machineNow);
	assert(lastStep !== undefined, "a valid code has a time step");
	saveSecondFactor(work, current.id, { lastStep });
}

export const wrongCode = () => fail("Unauthenticated", "The code is wrong or was used; wait for the next one.");
