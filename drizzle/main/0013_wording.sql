ALTER TABLE `credit_note_lines` ADD `wording` text;--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `wording` text;