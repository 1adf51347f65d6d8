mg 1
// made by make_cases.py
import nn
graph layers(x0: f32[2, 3, 4],
    x1: f32[5, 3],
    x2: f32[5, 4],
    x3: i64[2, 2],
    x4: f32[1, 2, 7],
    x5: f32[1, 4, 5, 5],
    x6: f32[1, 2, 3, 4, 3],
    x7: f32[2, 5, 4],
    x8: f32[3, 5],
    x9: f32[4, 2, 3],
    x10: f32[2, 2],
    x11: f32[2, 2])
-> (linear: f32[2, 3, 5],
    linear_unbiased: f32[2, 3, 5],
    bilinear: f32[5, 2],
    embedding: f32[2, 2, 3],
    conv1d: f32[1, 3, 4],
    conv2d: f32[1, 6, 3, 4],
    conv2d_unbiased: f32[1, 6, 3, 4],
    conv3d: f32[1, 2, 2, 2, 2],
    conv_transpose1d: f32[1, 3, 16],
    conv_transpose2d: f32[1, 6, 9, 9],
    conv_transpose3d: f32[1, 1, 4, 5, 4],
    layer_norm: f32[2, 3, 4],
    layer_norm_two: f32[2, 3, 4],
    rms_norm: f32[2, 3, 4],
    batch_norm: f32[1, 4, 5, 5],
    group_norm: f32[1, 4, 5, 5],
    instance_norm: f32[1, 4, 5, 5],
    instance_norm_affine: f32[1, 4, 5, 5],
    prelu: f32[1, 4, 5, 5],
    self_attention: f32[2, 3, 4],
    cross_attention: f32[2, 3, 4],
    block: f32[2, 3, 4],
    block_post: f32[2, 3, 4],
    lstm_0: f32[4, 2, 2],
    lstm_1: f32[2, 2],
    lstm_2: f32[2, 2],
    lstm_from_0: f32[4, 2, 2],
    lstm_from_1: f32[2, 2],
    lstm_from_2: f32[2, 2],
    lstm_reverse_0: f32[4, 2, 2],
    lstm_reverse_1: f32[2, 2],
    lstm_reverse_2: f32[2, 2],
    lstm_stack: f32[4, 2, 2],
    lstm_both: f32[4, 2, 4],
    gru_stack: f32[4, 2, 4],
    gru_0: f32[4, 2, 2],
    gru_1: f32[2, 2],
    rnn_0: f32[4, 2, 2],
    rnn_1: f32[2, 2]) weights "layers.safetensors"
{
    linear = nn.linear(x0, features = 5)
    linear_unbiased = nn.linear(x0, features = 5, biased = false)
    bilinear = nn.bilinear(x1, x2, features = 2)
    embedding = nn.embedding(x3, entries = 6, width = 3)
    conv1d = nn.conv1d(x4, channels = 3, kernel = 3, stride = 2, pad = 1)
    conv2d = nn.conv2d(x5, channels = 6, kernel = [3, 2], groups = 2)
    conv2d_unbiased = nn.conv2d(x5, channels = 6, kernel = [3, 2], groups = 2, biased = false)
    conv3d = nn.conv3d(x6, channels = 2, kernel = 2, dilation = [1, 2, 1])
    conv_transpose1d = nn.conv_transpose1d(x4, channels = 3, kernel = 4, stride = 2)
    conv_transpose2d = nn.conv_transpose2d(x5, channels = 6, kernel = 2, stride = 2, pad = 1, out_pad = 1, groups = 2)
    conv_transpose3d = nn.conv_transpose3d(x6, channels = 1, kernel = 2, biased = false)
    layer_norm = nn.layer_norm(x0)
    layer_norm_two = nn.layer_norm(x0, axis = 1)
    rms_norm = nn.rms_norm(x0, eps = 0.1)
    batch_norm = nn.batch_norm(x5)
    group_norm = nn.group_norm(x5, groups = 2)
    instance_norm = nn.instance_norm(x5)
    instance_norm_affine = nn.instance_norm(x5, affine = true)
    prelu = nn.prelu(x5)
    self_attention = nn.multi_head_attention(x0, x0, x0, heads = 2, causal = true)
    cross_attention = nn.multi_head_attention(x0, x7, x7, x8, heads = 2)
    block = nn.transformer_block(x0, heads = 2, hidden = 6, causal = true)
    block_post = nn.transformer_block(x0, heads = 2, hidden = 6, norm_first = false, activation = "relu")
    param lstm: nn.lstm(hidden = 2)
    lstm_0, lstm_1, lstm_2 = lstm(x9)
    param lstm_from: nn.lstm(hidden = 2, level = 1)
    lstm_from_0, lstm_from_1, lstm_from_2 = lstm_from(x9, x10, x11)
    param lstm_reverse: nn.lstm(hidden = 2, reverse = true, suffix = "_reverse")
    lstm_reverse_0, lstm_reverse_1, lstm_reverse_2 = lstm_reverse(x9)
    lstm_stack = nn.lstm_stack(x9, hidden = 2, layers = 2)
    lstm_both = nn.lstm_stack(x9, hidden = 2, bidirectional = true)
    gru_stack = nn.gru_stack(x9, hidden = 2, layers = 2, bidirectional = true)
    param gru: nn.gru(hidden = 2)
    gru_0, gru_1 = gru(x9, x10)
    param rnn: nn.rnn(hidden = 2, nonlinearity = "relu")
    rnn_0, rnn_1 = rnn(x9)
}
