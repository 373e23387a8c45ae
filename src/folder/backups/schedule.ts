import type { Log } from "../../http/log";
import { type Clock, toIso } from "../../kernel/clock";
import { folderSecret } from "../secret";
import { checkNewest } from "./check";
import { makeBackup, pruneBackups } from "./make";
import { listBackups } from "./open";
import { folderIdOf } from "./rules.names";
import { pauseAfterMs, untilBackupMs, untilCheckMs } from "./rules.schedule";
import type { BackupSettings } from "./settings";
import { noteBackupState, readBackupState } from "./state";

export interface ScheduleOptions {
	/** The data folder. */
	readonly folder: string;
	readonly settings: BackupSettings;
	/** The machine's clock. */
	readonly clock: Clock;
	readonly log: Log;
}

/** The longest pause: a clock that was set is noticed. */
const lookEveryMs = 60_000;

/** Makes backups when they are due, removes old ones, and restores and checks one each week. */
export class BackupSchedule {
	readonly #options: ScheduleOptions;
	#hasLooked = false;

	constructor(options: ScheduleOptions) {
		this.#options = options;
	}

	/** Does what is due. Returns after how many milliseconds to look again. */
	async run(): Promise<number> {
		const { folder, clock, log } = this.#options;
		const failed = readBackupState(folder).failure;
		const waitMs = failed === undefined ? 0 : failed.at + pauseAfterMs(failed.times) - clock.now();
		// A restart tries at once. A clock that was set back does not extend the pause.
		if (this.#hasLooked && failed && waitMs > 0 && failed.at <= clock.now()) return Math.min(lookEveryMs, waitMs);
		try {
			await this.#runDue();
			if (failed) noteBackupState(folder, { failure: undefined });
		} catch (error) {
			const times = (failed?.times ?? 0) + 1;
			const message = error instanceof Error ? error.message : String(error);
			log.error({ err: error, times, nextTryMs: pauseAfterMs(times) }, "a backup has failed; it is tried again");
			noteBackupState(folder, { failure: { at: clock.now(), message, times } });
		}
		this.#hasLooked = true;
		return this.#untilNextMs();
	}

	async #runDue(): Promise<void> {
		const { folder, settings, clock, log } = this.#options;
		if (!this.#hasLooked) await this.#readLast();
		if (untilBackupMs(readBackupState(folder).backup?.at, settings.everyMs, clock.now()) === 0) {
			const { name, bytes } = await makeBackup(folder, settings, clock);
			log.info({ backup: name, bytes }, "made a backup");
			const pruned = await pruneBackups(folder, settings, clock);
			if (pruned.length > 0) log.info({ backups: pruned.map((backup) => backup.name) }, "removed old backups");
		}
		if (untilCheckMs(readBackupState(folder).check, clock.now()) > 0) return;
		const checked = await checkNewest(folder, settings, clock);
		if (!checked) return;
		const { backup, findings } = checked;
		if (findings.length === 0)
			log.info({ backup: backup.name }, "restored a backup into a scratch folder: it is sound");
		else
			log.error(
				{ backup: backup.name, findings },
				"a restored backup has findings: run `tollgate check` on this folder",
			);
	}

	/** A restored folder does not know the backups of the folder that it was made from. */
	async #readLast(): Promise<void> {
		const { folder, settings, log } = this.#options;
		if (readBackupState(folder).backup) return;
		const id = folderIdOf(folderSecret(folder));
		const last = (await listBackups(settings)).whole.findLast((backup) => backup.folder === id);
		if (!last) return;
		const { at, name, bytes } = last;
		log.info({ backup: name, at: toIso(at) }, "the destination has backups of this folder");
		noteBackupState(folder, { backup: { at, name, bytes, tookMs: 0 } });
	}

	#untilNextMs(): number {
		const { folder, settings, clock } = this.#options;
		const { backup, check, failure } = readBackupState(folder);
		if (failure) return Math.min(lookEveryMs, pauseAfterMs(failure.times));
		const untilMs = [untilBackupMs(backup?.at, settings.everyMs, clock.now()), untilCheckMs(check, clock.now())];
		return Math.min(lookEveryMs, ...untilMs);
	}
}
