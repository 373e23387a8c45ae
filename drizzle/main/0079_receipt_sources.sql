DROP INDEX `allocations_reversed`;--> statement-breakpoint
ALTER TABLE `allocations` ADD `return_id` text;--> statement-breakpoint
CREATE INDEX `allocations_reversed` ON `allocations` (`reverses_id`) WHERE reverses_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `receipts` ADD `disputed` text DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE `receipts` ADD `source` text;