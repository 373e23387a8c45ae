import type { ForwardedAnswer, ForwardedRequest } from "../http/fast-path/forwarding";
import type { ErrorCode } from "../kernel/error-codes";
import type { WriteName } from "../server/writer-calls";

/** A call to the writer: a request to answer, whose body is the text of the part, or a write by name. */
export type WriterCall = { readonly id: number } & (
	| { readonly kind: "request"; readonly request: ForwardedRequest }
	| {
			readonly kind: "write";
			readonly environmentId: string;
			readonly accountId: string;
			readonly name: WriteName;
			readonly input: unknown;
	  }
);

/** An answer of the writer, sent once its writes are on disk. The text of the part is the response body. */
export type WriterAnswer = { readonly id: number } & (
	| { readonly kind: "answered"; readonly answer: Omit<ForwardedAnswer, "text"> }
	| { readonly kind: "written"; readonly answer: unknown }
	| { readonly kind: "refused"; readonly code: ErrorCode; readonly message: string }
	/** A refusal that has no code in the catalogue. */
	| {
			readonly kind: "turned away";
			readonly status: number;
			readonly message: string;
			readonly headers: Readonly<Record<string, string>>;
	  }
	/** The disk failed; the message is for the caller. */
	| { readonly kind: "storage"; readonly message: string }
	/** A bug of ours, which the writer has logged. */
	| { readonly kind: "failed"; readonly message: string }
);
