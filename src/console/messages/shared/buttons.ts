import { inLanguage } from "../language";

export const t = inLanguage({
	en: {
		cancel: "Cancel",
		close: "Close",
		save: "Save",
		create: "Create",
		copy: "Copy",
		copied: "Copied",
		copyAsCurl: "Copy as curl",
		copyId: "Copy {id}",
		remove: "Remove",
		removeRow: "Remove: {label} {at}",
		tryAgain: "Try again",
	},
	de: {
		cancel: "Abbrechen",
		close: "Schließen",
		save: "Speichern",
		create: "Anlegen",
		copy: "Kopieren",
		copied: "Kopiert",
		copyAsCurl: "Als curl kopieren",
		copyId: "{id} kopieren",
		remove: "Entfernen",
		removeRow: "Entfernen: {label} {at}",
		tryAgain: "Noch einmal",
	},
});
