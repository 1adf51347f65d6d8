// A thread that reads the next batch while a step runs.
#ifndef MG_TOOLS_TRAIN_READER_H
#define MG_TOOLS_TRAIN_READER_H

#include "tools/train_data.h"

// Reads the batch's samples, into tensors that have room for them.
void mgc_data_read(MgcData *data, MgcBatch *batch);

// Starts to read the batch, which nobody else may touch until mgc_reader_wait. The first call makes
// the thread; if that fails, it reads the batch itself.
void mgc_reader_begin(MgcReader **reader, MgcData *data, MgcBatch *batch);
void mgc_reader_wait(MgcReader *reader); // NULL is allowed
void mgc_reader_end(MgcReader *reader);  // NULL is allowed

#endif
