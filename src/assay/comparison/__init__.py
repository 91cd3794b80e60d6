"""What scores can bear: spread over seeds, intervals."""
