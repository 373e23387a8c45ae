import type { JobThread } from "../../../tasks/job";
import type { TaskRow } from "../../../tasks/table";
import { runBankImport } from "./import";

/** Carries out an import where no server runs. */
export const carryOutImport = (thread: JobThread, task: TaskRow): Promise<void> => runBankImport(thread, task);
