import { Type } from "@sinclair/typebox";

/** The provider's id of the event that is now on disk. */
export const ReceivedProviderEvent = Type.Object({ eventId: Type.String() }, { $id: "ReceivedProviderEvent" });
