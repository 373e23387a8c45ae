import type { GivenBack, TakenIn } from "../http/fast-path/forwarding";
import type { ErrorCode } from "../kernel/error-codes";
import type { WriteName } from "../server/writer-calls";

/** To the writer: a request to answer, with its body as the text that goes along, or one of the writes by name. */
export type WriterCall = { readonly id: number } & (
	| { readonly kind: "request"; readonly request: TakenIn }
	| {
			readonly kind: "write";
			readonly environmentId: string;
			readonly accountId: string;
			readonly name: WriteName;
			readonly input: unknown;
	  }
);

/** From the writer, once what was written is on disk; the text of an answer goes along. */
export type WriterAnswer = { readonly id: number } & (
	| { readonly kind: "answered"; readonly answer: Omit<GivenBack, "text"> }
	| { readonly kind: "written"; readonly answer: unknown }
	| { readonly kind: "refused"; readonly code: ErrorCode; readonly message: string }
	/** A refusal that has no code in the catalogue. */
	| {
			readonly kind: "turned away";
			readonly status: number;
			readonly message: string;
			readonly headers: Readonly<Record<string, string>>;
	  }
	/** The disk is to blame; the message is for the caller. */
	| { readonly kind: "storage"; readonly message: string }
	/** A bug of ours, which the writer has logged. */
	| { readonly kind: "failed"; readonly message: string }
);
